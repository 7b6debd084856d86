-- Counts the rows of all tenants again, from the rows. Writers wait.
create or replace function recount_tenants(fleets text) returns void language plpgsql volatile as $$
begin
  lock table resources, planes, objects in share row exclusive mode;
  delete from tenant_usage;
  delete from tenant_planes;
  insert into tenant_planes (plane, tenant)
  select planes.plane, coalesce(resources.tenant, tenant_of_plane(planes.plane))
  from planes left join resources on resources.id = planes.plane
  where coalesce(resources.tenant, tenant_of_plane(planes.plane), '') <> '';
  insert into tenant_usage (tenant, counted, used)
  select tenant, 'resources', count(*) from resources where tenant <> '' group by tenant
  union all
  select tenant, 'planes', count(*) from planes join tenant_planes using (plane)
  where removed_time is null and tenant_of_plane(plane) is null group by tenant
  union all
  select tenant, 'objects', count(*) from objects join tenant_planes using (plane)
  where not is_tombstone group by tenant
  union all
  select tenant, 'fleets', count(*) from objects join tenant_planes using (plane)
  where not is_tombstone and resource = fleets group by tenant;
end
$$;
