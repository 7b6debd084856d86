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
