-- The feed: what a write changes goes to the inbox in the same statement, without any lock that
-- another writer could wait for. The sequencer moves it to the log, `changes`, and gives it its
-- revision there. A statement that reads the log sees every revision up to the head's.

-- One change of a resource, or of one adapter's report on it.
create table inbox (
  -- Drawn under the lock of the changed row: changes of one row are in order.
  id               bigint generated always as identity,
  written_time     timestamptz      not null default clock_timestamp(),
  -- ADDED, MODIFIED or DELETED.
  type             text collate "C" not null,
  resource_id      text collate "C" not null,
  -- Whose report it is; '' for a change of the resource itself.
  adapter          text collate "C" not null default '',
  -- Of a report: its revision.
  version          bigint           not null,
  -- After the change; before it where it is a removal.
  generation       integer          not null,
  created_time     timestamptz(3)   not null,
  conditions       json             not null,
  -- A resource has these, a report has not.
  kind             text collate "C",
  owner_id         text collate "C",
  name             text collate "C",
  -- Null where none of the four has changed: they are those before the next change of one.
  spec             jsonb,
  labels           jsonb,
  annotations      jsonb,
  refs             jsonb,
  updated_time     timestamptz(3),
  created_by       text collate "C",
  updated_by       text collate "C",
  deleted_time     timestamptz(3),
  deleted_by       text collate "C",
  -- A report has these, a resource has not.
  available        json,
  data             json,
  metadata         json,
  last_report_time timestamptz(3),
  observed_time    timestamptz(3),
  finalized        boolean,
  -- Before a modification; the four of above where one of them changed.
  old_generation   integer,
  old_spec         jsonb,
  old_labels       jsonb,
  old_annotations  jsonb,
  old_refs         jsonb,
  old_conditions   json,
  old_updated_time timestamptz(3),
  old_updated_by   text collate "C",
  old_deleted_time timestamptz(3),
  constraint inbox_pkey primary key (id)
-- A queue: vacuumed by what went through it, not by what stands in it.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- What was compressed for the tables stays so; nothing is compressed again on its way.
alter table inbox
  alter column spec set storage external,
  alter column conditions set storage external,
  alter column data set storage external,
  alter column old_spec set storage external,
  alter column old_conditions set storage external;

-- The columns of the inbox, in the same order: rows move as a whole.
create table changes (
  revision bigint not null,
  like inbox including storage,
  constraint changes_pkey primary key (revision)
);

-- Where a resource's spec, labels, annotations or references changed, or ended.
create index inbox_declared on inbox (resource_id, id)
  where old_spec is not null or type = 'DELETED';
create index changes_declared on changes (resource_id, revision)
  where old_spec is not null or type = 'DELETED';

-- One row.
create table head (
  -- Changes whenever the log's revisions may have been used before: after a restore.
  epoch          text collate "C" not null,
  -- The database that the epoch was made in.
  origin         text collate "C" not null,
  -- Of the newest change in the log.
  revision       bigint      not null,
  -- The log is complete after this revision.
  compacted      bigint      not null,
  compacted_time timestamptz not null,
  -- There is one row.
  id             boolean     not null default true,
  constraint head_pkey primary key (id),
  constraint head_single check (id)
) with (fillfactor = 50);

insert into head (epoch, origin, revision, compacted, compacted_time)
values (left(md5(gen_random_uuid()::text), 8), '', 0, 0, now());

create function announce_resource() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then new := old; end if;
  insert into inbox (
    type, kind, resource_id, version, owner_id, generation, created_time, name, spec, labels,
    annotations, refs, updated_time, created_by, updated_by, deleted_time, deleted_by, conditions)
  values (
    case tg_op when 'DELETE' then 'DELETED' else 'ADDED' end, new.kind, new.id,
    new.version + (tg_op = 'DELETE')::integer, new.owner_id, new.generation, new.created_time,
    new.name, new.spec, new.labels, new.annotations, new.refs, new.updated_time, new.created_by,
    new.updated_by, new.deleted_time, new.deleted_by, new.conditions);
  return null;
end
$$;

-- Most modifications come from reports and are of conditions alone.
create function announce_modification() returns trigger language plpgsql as $$
begin
  if old.generation = new.generation and old.labels = new.labels
    and old.annotations = new.annotations
  then
    insert into inbox (
      type, kind, resource_id, version, owner_id, generation, created_time, name, updated_time,
      created_by, updated_by, deleted_time, deleted_by, conditions, old_generation, old_conditions,
      old_updated_time, old_updated_by, old_deleted_time)
    values (
      'MODIFIED', new.kind, new.id, new.version, new.owner_id, new.generation, new.created_time,
      new.name, new.updated_time, new.created_by, new.updated_by, new.deleted_time, new.deleted_by,
      new.conditions, old.generation, old.conditions, old.updated_time, old.updated_by,
      old.deleted_time);
  else
    insert into inbox (
      type, kind, resource_id, version, owner_id, generation, created_time, name, spec, labels,
      annotations, refs, updated_time, created_by, updated_by, deleted_time, deleted_by, conditions,
      old_generation, old_spec, old_labels, old_annotations, old_refs, old_conditions,
      old_updated_time, old_updated_by, old_deleted_time)
    values (
      'MODIFIED', new.kind, new.id, new.version, new.owner_id, new.generation, new.created_time,
      new.name, new.spec, new.labels, new.annotations, new.refs, new.updated_time, new.created_by,
      new.updated_by, new.deleted_time, new.deleted_by, new.conditions, old.generation, old.spec,
      old.labels, old.annotations, old.refs, old.conditions, old.updated_time, old.updated_by,
      old.deleted_time);
  end if;
  return null;
end
$$;

create trigger announce_write after insert or delete on resources
  for each row execute function announce_resource();

create trigger announce_change after update on resources
  for each row when (old.version <> new.version) execute function announce_modification();

create function announce_report() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then new := old; end if;
  insert into inbox (
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

-- The reports of a removed resource go with it, a change each.
create trigger announce_write after insert or delete on adapter_statuses
  for each row execute function announce_report();

-- A report that says what the one before it said, but for times, changes nothing.
create trigger announce_change after update on adapter_statuses
  for each row when (
    old.observed_generation <> new.observed_generation
    or old.conditions::text <> new.conditions::text
    or old.data::text <> new.data::text
    or old.metadata::text is distinct from new.metadata::text)
  execute function announce_report();

-- Moves the oldest changes from the inbox to the log; the number of those moved and the head, or
-- nothing where another session is at it. The lock is held until the commit, and each query sees
-- what was committed before: revisions become visible in their order and without gaps.
create function sequence_changes(most integer)
returns table (moved integer, epoch text, revision bigint)
language plpgsql volatile as $$
begin
  if not pg_try_advisory_xact_lock(7305188022) then return; end if;
  select head.epoch, head.revision into epoch, revision from head;
  with taken as (
    delete from inbox where id = any(array(select id from inbox order by id limit most))
    returning inbox.*
  ), logged as (
    insert into changes
    select sequence_changes.revision + row_number() over (), in_order.*
    from (select taken.* from taken order by id) as in_order
    returning changes.revision
  )
  select count(*) into moved from logged;
  if moved > 0 then
    revision := revision + moved;
    update head set revision = sequence_changes.revision;
    perform pg_notify('flotilla_changes', '');
  end if;
  return next;
end
$$;
