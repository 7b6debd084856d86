-- Adds a changed resource to the outbox: without spec, labels, annotations and references if they are
-- unchanged.
create or replace function write_modification_to_outbox() returns trigger language plpgsql as $$
begin
  if old.generation = new.generation and old.labels = new.labels
    and old.annotations = new.annotations
  then
    insert into outbox (
      type, kind, resource_id, version, owner_id, generation, created_time, name, updated_time,
      created_by, updated_by, deleted_time, deleted_by, conditions, old_generation, old_conditions,
      old_updated_time, old_updated_by, old_deleted_time, tenant, required_adapters,
      old_required_adapters)
    values (
      'MODIFIED', new.kind, new.id, new.version, new.owner_id, new.generation, new.created_time,
      new.name, new.updated_time, new.created_by, new.updated_by, new.deleted_time, new.deleted_by,
      new.conditions, old.generation, old.conditions, old.updated_time, old.updated_by,
      old.deleted_time, new.tenant, new.required_adapters, old.required_adapters);
  else
    insert into outbox (
      type, kind, resource_id, version, owner_id, generation, created_time, name, spec, labels,
      annotations, refs, updated_time, created_by, updated_by, deleted_time, deleted_by, conditions,
      old_generation, old_spec, old_labels, old_annotations, old_refs, old_conditions,
      old_updated_time, old_updated_by, old_deleted_time, tenant, required_adapters,
      old_required_adapters)
    values (
      'MODIFIED', new.kind, new.id, new.version, new.owner_id, new.generation, new.created_time,
      new.name, new.spec, new.labels, new.annotations, new.refs, new.updated_time, new.created_by,
      new.updated_by, new.deleted_time, new.deleted_by, new.conditions, old.generation, old.spec,
      old.labels, old.annotations, old.refs, old.conditions, old.updated_time, old.updated_by,
      old.deleted_time, new.tenant, new.required_adapters, old.required_adapters);
  end if;
  return null;
end
$$;
