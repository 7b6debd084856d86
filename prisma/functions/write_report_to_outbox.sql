-- Adds an inserted, changed or deleted report to the outbox.
create or replace function write_report_to_outbox() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then new := old; end if;
  insert into outbox (
    type, resource_id, adapter, version, generation, created_time, conditions, available, data,
    metadata, last_report_time, observed_time, finalized, old_generation)
  values (
    case tg_op when 'DELETE' then 'DELETED' when 'INSERT' then 'ADDED' else 'MODIFIED' end,
    new.resource_id, new.adapter, new.revision + (tg_op = 'DELETE')::integer,
    new.observed_generation, new.created_time, new.conditions, new.available, new.data,
    new.metadata, new.last_report_time, new.observed_time, new.finalized,
    case when tg_op = 'UPDATE' then old.observed_generation end);
  return null;
end
$$;
