-- Older servers: may run beside this schema. The triggers of limits apply to their writes, too.
--
-- Limits of tenants. The tables are empty, and no trigger exists, unless servers have limits.

-- The most rows that a tenant may have: resources, planes, objects or fleets. Tenant '' has the limits of
-- all tenants without other ones.
create table tenant_limits (
  tenant text collate "C" not null,
  counted text collate "C" not null,
  maximum bigint not null,
  constraint tenant_limits_pkey primary key (tenant, counted)
);

-- The rows that each tenant has. Every creation updates a row, whose versions fit on its page.
create table tenant_usage (
  tenant text collate "C" not null,
  counted text collate "C" not null,
  used bigint not null,
  constraint tenant_usage_pkey primary key (tenant, counted)
) with (fillfactor = 50);

-- The tenant of each plane of a tenant.
create table tenant_planes (
  plane text collate "C" not null,
  tenant text collate "C" not null,
  constraint tenant_planes_pkey primary key (plane)
);

-- Makes these the limits of tenants: null for none. The limits of tenant '' hold for each tenant without
-- other ones. Counts all rows if none were counted before; writers wait for that. `fleets` is the
-- resource of fleets.
create or replace function apply_tenant_limits(wanted json, fleets text) returns void
language plpgsql volatile as $$
declare
  was_counting boolean;
  source text;
begin
  perform pg_advisory_xact_lock(7305188032);
  -- A restore empties the tables, and keeps the triggers.
  was_counting := exists (select 1 from tenant_limits)
    and exists (select 1 from pg_trigger where tgname = 'count_added_rows_of_tenants');
  if wanted is null and not exists (
    select 1 from pg_trigger where tgname = 'count_added_rows_of_tenants') then return; end if;
  delete from tenant_limits;
  insert into tenant_limits (tenant, counted, maximum)
  select tenant, counted, maximum
  from json_to_recordset(wanted) as input (tenant text, counted text, maximum bigint);
  if wanted is not null and was_counting then return; end if;
  -- The order in which writers use the tables.
  lock table resources, planes, objects in share row exclusive mode;
  foreach source in array array['resources', 'planes', 'objects'] loop
    execute format('drop trigger if exists count_added_rows_of_tenants on %I', source);
    execute format('drop trigger if exists count_removed_rows_of_tenants on %I', source);
    execute format('drop trigger if exists count_updated_rows_of_tenants on %I', source);
    continue when wanted is null;
    execute format('create trigger count_added_rows_of_tenants after insert on %I
      referencing new table as written
      for each statement execute function count_rows_of_tenants(%L)', source, fleets);
    execute format('create trigger count_removed_rows_of_tenants after delete on %I
      referencing old table as written
      for each statement execute function count_rows_of_tenants(%L)', source, fleets);
  end loop;
  if wanted is null then
    delete from tenant_usage;
    delete from tenant_planes;
    return;
  end if;
  execute format('create trigger count_updated_rows_of_tenants after update on planes for each row
    when ((old.removed_time is null) is distinct from (new.removed_time is null))
    execute function count_updated_rows_of_tenants(%L)', fleets);
  execute format('create trigger count_updated_rows_of_tenants after update on objects for each row
    when (old.is_tombstone is distinct from new.is_tombstone)
    execute function count_updated_rows_of_tenants(%L)', fleets);
  perform recount_tenants(fleets);
end
$$;

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

-- Counts a plane that is removed or returns, and an object that becomes a tombstone or replaces one. The
-- first argument is as that of `count_rows_of_tenants`.
create or replace function count_updated_rows_of_tenants() returns trigger language plpgsql as $$
declare
  owner text;
  growth bigint;
begin
  select tenant into owner from tenant_planes where plane = new.plane;
  if owner is null then return null; end if;
  if tg_table_name = 'planes' then
    if tenant_of_plane(new.plane) is not null then return null; end if;
    growth := case when new.removed_time is null then 1 else -1 end;
    perform grow_tenants(array[owner], array['planes'], array[growth]);
  else
    growth := case when new.is_tombstone then -1 else 1 end;
    perform grow_tenants(array[owner], array['objects'], array[growth]);
    if new.resource = tg_argv[0] then
      perform grow_tenants(array[owner], array['fleets'], array[growth]);
    end if;
  end if;
  return null;
end
$$;

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
