-- Adds an inserted or deleted resource to the outbox.
create or replace function write_resource_to_outbox() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then new := old; end if;
  insert into outbox (
    type, kind, resource_id, version, owner_id, generation, created_time, name, spec, labels,
    annotations, refs, updated_time, created_by, updated_by, deleted_time, deleted_by, conditions,
    tenant, required_adapters)
  values (
    case tg_op when 'DELETE' then 'DELETED' else 'ADDED' end, new.kind, new.id,
    new.version + (tg_op = 'DELETE')::integer, new.owner_id, new.generation, new.created_time,
    new.name, new.spec, new.labels, new.annotations, new.refs, new.updated_time, new.created_by,
    new.updated_by, new.deleted_time, new.deleted_by, new.conditions, new.tenant, new.required_adapters);
  return null;
end
$$;
