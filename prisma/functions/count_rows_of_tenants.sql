-- Counts the rows of tenants that a statement has added or removed. `apply_tenant_limits` creates the
-- triggers; a database without limits has none. The first argument of the trigger of objects is the
-- resource of fleets.
create or replace function count_rows_of_tenants() returns trigger language plpgsql as $$
declare
  sign constant bigint := case tg_op when 'DELETE' then -1 else 1 end;
  tenants text[];
  names text[];
  growths bigint[];
begin
  -- PostgreSQL parses only the statements that run.
  if tg_table_name = 'resources' then
    perform grow_tenants(array_agg(tenant), array_agg('resources'::text), array_agg(rows * sign))
    from (
      select tenant, count(*) as rows from written where tenant <> '' group by tenant) as counted;
  elsif tg_table_name = 'objects' then
    perform grow_tenants(array_agg(tenant), array_agg(counted), array_agg(rows * sign))
    from (
      select owned.tenant, kind.counted, count(*) as rows
      from written join tenant_planes as owned using (plane)
      cross join lateral (
        select 'objects' as counted union all select 'fleets' where written.resource = tg_argv[0]
      ) as kind
      where not written.is_tombstone
      group by owned.tenant, kind.counted) as counted;
  elsif tg_op = 'INSERT' then
    -- The tenant of a plane is known when its resource is gone.
    insert into tenant_planes (plane, tenant)
    select written.plane, coalesce(resources.tenant, tenant_of_plane(written.plane))
    from written left join resources on resources.id = written.plane
    where coalesce(resources.tenant, tenant_of_plane(written.plane), '') <> ''
    on conflict (plane) do update set tenant = excluded.tenant;
    perform grow_tenants(array_agg(tenant), array_agg('planes'::text), array_agg(rows))
    from (
      select owned.tenant, count(*) as rows from written join tenant_planes as owned using (plane)
      where written.removed_time is null and tenant_of_plane(written.plane) is null
      group by owned.tenant) as counted;
  else
    with forgotten as (
      delete from tenant_planes using written where tenant_planes.plane = written.plane
      returning tenant_planes.tenant, written.removed_time is null
        and tenant_of_plane(written.plane) is null as is_counted
    )
    select array_agg(tenant), array_agg('planes'::text), array_agg(-rows)
    into tenants, names, growths
    from (
      select tenant, count(*) as rows from forgotten where is_counted group by tenant) as counted;
    perform grow_tenants(tenants, names, growths);
  end if;
  return null;
end
$$;
