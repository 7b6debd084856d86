-- Older servers: may run beside this schema. The triggers write the new columns, which they do not read.
--
-- The log records the adapters that a resource requires, after each change of the resource and before
-- it. Without the earlier value, counts that follow the log cannot leave the previous state. Last in
-- both tables, because the sequencer moves whole rows.
alter table outbox
  add column required_adapters jsonb,
  add column old_required_adapters jsonb;
alter table changes
  add column required_adapters jsonb,
  add column old_required_adapters jsonb;

-- Changes until now showed the current declaration.
update outbox set required_adapters = resources.required_adapters,
  old_required_adapters =
    case when outbox.old_generation is not null then resources.required_adapters end
from resources
where resources.id = outbox.resource_id and outbox.adapter = ''
  and resources.required_adapters is not null;
update changes set required_adapters = resources.required_adapters,
  old_required_adapters =
    case when changes.old_generation is not null then resources.required_adapters end
from resources
where resources.id = changes.resource_id and changes.adapter = ''
  and resources.required_adapters is not null;

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
