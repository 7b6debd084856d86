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
