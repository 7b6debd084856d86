-- Older servers: may run beside this schema. They do not serve the root planes of tenants, and the
-- trigger keeps them from removing these planes.

-- Root planes have no resource. Older servers take them for planes of removed
-- clusters, and would delete their objects. Only a tenant that has departed leaves its root plane.
create or replace function keep_root_planes() returns trigger language plpgsql as $$
begin
  if not exists (
    select 1 from tenant_states
    where tenant = tenant_of_plane(new.plane) and state = 'departed') then
    raise exception 'the root plane % of a tenant is not removed', new.plane;
  end if;
  return new;
end
$$;

-- Rejects a statement that wrote rows of a tenant that is not active in this shard. The triggers exist
-- only in databases of shards; `flotilla` creates them when the database becomes one.
--
-- The check runs after the write, so the transaction has its id already. A move first commits the new
-- state and then waits for all transactions that were running: each of them has either seen the new
-- state here, or its write is complete before the tenant is copied. No writer locks a shared row.
-- The argument is the column of the table that leads to the tenant: tenant, resource_id or plane.
create or replace function require_active_tenants() returns trigger language plpgsql as $$
declare
  rejected text;
begin
  if current_setting('flotilla.moves_tenant', true) = 'true' then return null; end if;
  -- PostgreSQL parses only the statement that runs.
  case tg_argv[0]
    when 'tenant' then
      select tenant into rejected
      from written left join tenant_states using (tenant)
      where tenant <> '' and tenant_states.state is distinct from 'active' limit 1;
    when 'resource_id' then
      select tenant into rejected
      from written join resources on resources.id = written.resource_id
      left join tenant_states using (tenant)
      where tenant <> '' and tenant_states.state is distinct from 'active' limit 1;
    when 'plane' then
      select owned.tenant into rejected
      from (
        select coalesce(resources.tenant, tenant_of_plane(written.plane)) as tenant
        from written left join resources on resources.id = written.plane) as owned
      left join tenant_states using (tenant)
      where owned.tenant <> '' and tenant_states.state is distinct from 'active' limit 1;
  end case;
  if rejected is not null then
    raise exception using errcode = '40T01',
      message = format('the tenant %s is not active in this shard', rejected);
  end if;
  return null;
end
$$;

-- The tenant whose root plane has this ID; null for every other plane. Servers encode it in
-- src/access/tenant-plane.ts.
create or replace function tenant_of_plane(plane text) returns text
language sql immutable strict parallel safe
return case when plane like 'root.%' then convert_from(
  decode(rpad(translate(substr(plane, 6), '-_', '+/'), (length(plane) - 5 + 3) / 4 * 4, '='), 'base64'),
  'UTF8') end;

create trigger keep_root_planes before update of removed_time on planes for each row
  when (new.removed_time is not null and new.plane like 'root.%')
  execute function keep_root_planes();
