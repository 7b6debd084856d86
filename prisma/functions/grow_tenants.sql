-- Adds rows to the counts of tenants. Rejects the statement if a tenant then has more than its limit,
-- unless a move between shards writes the rows. The counts stay locked until the commit, so that
-- concurrent transactions cannot exceed a limit together. They are locked in order, after all rows of
-- the statement.
create or replace function grow_tenants(tenants text[], names text[], growths bigint[]) returns void
language plpgsql volatile strict as $$
declare
  exceeded record;
begin
  with growth as materialized (
    select input.tenant, input.counted, sum(input.growth)::bigint as rows
    from unnest(tenants, names, growths) as input (tenant, counted, growth)
    group by input.tenant, input.counted having sum(input.growth) <> 0
  ), grown as (
    insert into tenant_usage as usage (tenant, counted, used)
    select tenant, counted, rows from growth order by tenant, counted
    on conflict (tenant, counted) do update set used = usage.used + excluded.used
    returning usage.tenant, usage.counted, usage.used
  )
  select grown.counted, grown.used - growth.rows as used, growth.rows, bound.maximum into exceeded
  from grown join growth using (tenant, counted)
  cross join lateral (
    select maximum from tenant_limits
    where tenant_limits.counted = grown.counted and tenant_limits.tenant in ('', grown.tenant)
    order by tenant_limits.tenant desc limit 1
  ) as bound
  where growth.rows > 0 and grown.used > bound.maximum
  order by grown.tenant, grown.counted limit 1;
  if found and current_setting('flotilla.moves_tenant', true) is distinct from 'true' then
    raise exception using errcode = '40T03', message = format(
      'The tenant has %s %s, and its limit is %s: the request would add %s',
      exceeded.used, exceeded.counted, exceeded.maximum, exceeded.rows);
  end if;
end
$$;
