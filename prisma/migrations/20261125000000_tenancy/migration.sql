-- The tenant that a resource belongs to, in its canonical encoding; '' without tenancy. A tenant
-- never changes: every index below stays out of the way of heap-only updates.
alter table resources add column tenant text collate "C" not null default '';

-- Names are unique within a tenant.
drop index resources_name;
create unique index resources_name on resources (tenant, kind, owner_id, name)
  where deleted_time is null;

-- Lists of a tenant in the default order. Rows without a tenant have no entry, so servers without
-- tenancy do not pay for it. Lists below a parent need none: a child has its parent's tenant.
create index resources_by_tenant on resources (tenant, kind, created_time desc, id desc)
  where tenant <> '';

alter table force_deletions add column tenant text collate "C" not null default '';

-- The same key from two tenants is two keys.
alter table idempotency_keys add column tenant text collate "C" not null default '';
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys
  add constraint idempotency_keys_pkey primary key (tenant, caller, route, key);

-- Watchers decide by it which changes are theirs; '' for a change of a report. Last in both tables,
-- so that rows still move as a whole.
alter table inbox add column tenant text collate "C" not null default '';
alter table changes add column tenant text collate "C" not null default '';

create or replace function announce_resource() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then new := old; end if;
  insert into inbox (
    type, kind, resource_id, version, owner_id, generation, created_time, name, spec, labels,
    annotations, refs, updated_time, created_by, updated_by, deleted_time, deleted_by, conditions,
    tenant)
  values (
    case tg_op when 'DELETE' then 'DELETED' else 'ADDED' end, new.kind, new.id,
    new.version + (tg_op = 'DELETE')::integer, new.owner_id, new.generation, new.created_time,
    new.name, new.spec, new.labels, new.annotations, new.refs, new.updated_time, new.created_by,
    new.updated_by, new.deleted_time, new.deleted_by, new.conditions, new.tenant);
  return null;
end
$$;

-- Most modifications come from reports and are of conditions alone.
create or replace function announce_modification() returns trigger language plpgsql as $$
begin
  if old.generation = new.generation and old.labels = new.labels
    and old.annotations = new.annotations
  then
    insert into inbox (
      type, kind, resource_id, version, owner_id, generation, created_time, name, updated_time,
      created_by, updated_by, deleted_time, deleted_by, conditions, old_generation, old_conditions,
      old_updated_time, old_updated_by, old_deleted_time, tenant)
    values (
      'MODIFIED', new.kind, new.id, new.version, new.owner_id, new.generation, new.created_time,
      new.name, new.updated_time, new.created_by, new.updated_by, new.deleted_time, new.deleted_by,
      new.conditions, old.generation, old.conditions, old.updated_time, old.updated_by,
      old.deleted_time, new.tenant);
  else
    insert into inbox (
      type, kind, resource_id, version, owner_id, generation, created_time, name, spec, labels,
      annotations, refs, updated_time, created_by, updated_by, deleted_time, deleted_by, conditions,
      old_generation, old_spec, old_labels, old_annotations, old_refs, old_conditions,
      old_updated_time, old_updated_by, old_deleted_time, tenant)
    values (
      'MODIFIED', new.kind, new.id, new.version, new.owner_id, new.generation, new.created_time,
      new.name, new.spec, new.labels, new.annotations, new.refs, new.updated_time, new.created_by,
      new.updated_by, new.deleted_time, new.deleted_by, new.conditions, old.generation, old.spec,
      old.labels, old.annotations, old.refs, old.conditions, old.updated_time, old.updated_by,
      old.deleted_time, new.tenant);
  end if;
  return null;
end
$$;
