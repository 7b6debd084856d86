-- Older servers: may run beside this schema. The view `inbox` accepts their statements, and the
-- functions that they call keep their names. A later migration drops the view.
--
-- Renames the table `inbox`, its indexes and the trigger functions to the term of the field: a
-- transactional outbox. The triggers keep their names, because renaming them would lock
-- `resources` and `adapter_statuses`. The only lock that writers wait for is on the outbox.
-- `adapter_statuses.revision` keeps its name too: older servers write it.
alter table inbox rename to outbox;
alter table outbox rename constraint inbox_pkey to outbox_pkey;
alter sequence inbox_id_seq rename to outbox_id_seq;
alter index inbox_declared rename to outbox_declared;
alter index inbox_uncounted rename to outbox_uncounted;

-- Older servers read the outbox under this name. A session whose trigger waited for the lock of
-- this migration also inserts through the view.
create view inbox as select * from outbox;

alter function announce_resource() rename to write_resource_to_outbox;
create or replace function write_resource_to_outbox() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then new := old; end if;
  insert into outbox (
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

-- Most modifications are reports that change only conditions: their rows omit spec and labels.
alter function announce_modification() rename to write_modification_to_outbox;
create or replace function write_modification_to_outbox() returns trigger language plpgsql as $$
begin
  if old.generation = new.generation and old.labels = new.labels
    and old.annotations = new.annotations
  then
    insert into outbox (
      type, kind, resource_id, version, owner_id, generation, created_time, name, updated_time,
      created_by, updated_by, deleted_time, deleted_by, conditions, old_generation, old_conditions,
      old_updated_time, old_updated_by, old_deleted_time, tenant)
    values (
      'MODIFIED', new.kind, new.id, new.version, new.owner_id, new.generation, new.created_time,
      new.name, new.updated_time, new.created_by, new.updated_by, new.deleted_time, new.deleted_by,
      new.conditions, old.generation, old.conditions, old.updated_time, old.updated_by,
      old.deleted_time, new.tenant);
  else
    insert into outbox (
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

alter function announce_report() rename to write_report_to_outbox;
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

-- The number of resources of these kinds below one parent and of one tenant, including resources
-- that are being deleted. A null parent or tenant matches any. Stable: it uses the snapshot of the
-- calling statement, so that a page and its total agree.
create or replace function resource_total(kinds text[], parent text, of_tenant text) returns bigint
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(total), 0)::bigint from resource_counts
    where kind = any(kinds) and owner_id = coalesce(parent, '')
      and (of_tenant is null or tenant = of_tenant)
  ) + (
    select coalesce(sum(case type when 'ADDED' then 1 else -1 end), 0)::bigint from outbox
    where kind = any(kinds) and kind is not null and type <> 'MODIFIED'
      and (parent is null or owner_id = parent) and (of_tenant is null or tenant = of_tenant)
  );
end
$$;

-- Recomputes the totals from the rows. Writers do not wait for it; the sequencer does.
create or replace function recount_resources() returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(7305188022);
  delete from resource_counts;
  -- One statement, so that resources and outbox are read from one snapshot.
  insert into resource_counts (kind, owner_id, tenant, total)
  select kind, counted.owner_id, tenant, sum(growth)
  from (
    select kind, owner_id, tenant, 1 as growth from resources
    union all
    select kind, owner_id, tenant, case type when 'ADDED' then -1 else 1 end from outbox
    where kind is not null and type <> 'MODIFIED'
  ) as grown
  cross join lateral (
    select '' as owner_id union select grown.owner_id
  ) as counted
  group by kind, counted.owner_id, tenant
  having sum(growth) <> 0;
end
$$;

-- Moves the oldest changes from the outbox to the log, and adds the resources that they create and
-- remove to the totals. Returns the number of moved changes and the head, or no row if another
-- session holds the lock. The lock is held until the commit, and each query sees the changes that
-- were committed before it: revisions become visible in order and without gaps.
-- Dropped first, because `create or replace` cannot rename a parameter.
drop function sequence_changes(integer);
create function sequence_changes(max_changes integer)
returns table (moved integer, epoch text, revision bigint)
language plpgsql volatile as $$
declare
  last_revision bigint;
  uncounted integer;
begin
  if not pg_try_advisory_xact_lock(7305188022) then return; end if;
  select head.epoch, head.revision into epoch, last_revision from head;
  with taken as (
    delete from outbox where id = any(array(select id from outbox order by id limit max_changes))
    returning outbox.*
  ), logged as (
    insert into changes
    select last_revision + row_number() over (), in_order.*
    from (select taken.* from taken order by id) as in_order
    returning changes.kind is not null and changes.type <> 'MODIFIED' as is_uncounted
  )
  select count(*), count(*) filter (where is_uncounted) into moved, uncounted from logged;
  revision := last_revision + moved;
  if uncounted > 0 then
    merge into resource_counts as counted
    using (
      select changes.kind, scope.owner_id, changes.tenant,
        sum(case changes.type when 'ADDED' then 1 else -1 end) as growth
      from changes
      cross join lateral (select '' as owner_id union select changes.owner_id) as scope
      where changes.revision > last_revision and changes.revision <= sequence_changes.revision
        and changes.kind is not null and changes.type <> 'MODIFIED'
      group by changes.kind, scope.owner_id, changes.tenant
    ) as grown
    on counted.kind = grown.kind and counted.owner_id = grown.owner_id
      and counted.tenant = grown.tenant
    when matched and counted.total + growth = 0 then delete
    when matched then update set total = counted.total + growth
    when not matched and growth <> 0 then
      insert (kind, owner_id, tenant, total)
      values (grown.kind, grown.owner_id, grown.tenant, growth);
  end if;
  if moved > 0 then
    update head set revision = sequence_changes.revision;
    perform pg_notify('flotilla_changes', '');
  end if;
  return next;
end
$$;
