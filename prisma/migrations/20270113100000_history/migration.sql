-- Older servers: may run beside this schema. Newer servers collect their writes from the log.

-- The changes of resources, for longer than the log. One row is one change as people see it.
create table resource_history (
  resource_id text collate "C" not null,
  time        timestamptz      not null,
  revision    bigint           not null,
  -- created, updated, deleted, removed or reported.
  type        text collate "C" not null,
  kind        text collate "C" not null,
  tenant      text collate "C" not null,
  owner_id    text collate "C" not null,
  name        text collate "C" not null,
  generation  integer          not null,
  -- The user, or the adapter of a report; '' if the log does not contain it.
  author      text collate "C" not null,
  -- Of a force-delete.
  reason      text             not null,
  -- Those of spec, labels, annotations and references that changed.
  before      jsonb,
  after       jsonb,
  -- [{"type", "old", "new"}]: the conditions whose status, reason or message changed.
  conditions  json,
  constraint resource_history_pkey primary key (resource_id, time, revision)
) partition by range (time);

-- Rows of days without a partition: those of a restored backup, or of a clock that is wrong.
create table resource_history_default partition of resource_history default;

-- One row.
create table history_cursor (
  -- The history contains the changes up to here.
  revision bigint  not null,
  -- The number of changes that the log dropped before they were collected.
  lost     bigint  not null default 0,
  id       boolean not null default true,
  constraint history_cursor_pkey primary key (id),
  constraint history_cursor_single check (id)
);

insert into history_cursor (revision) select compacted from head;

create function condition_state(condition json) returns json language sql immutable parallel safe as $$
  select json_strip_nulls(json_build_object(
    'status', condition -> 'status',
    'reason', condition -> 'reason',
    'message', condition -> 'message'))
$$;

-- The conditions whose status, reason or message differ, in the order of the newer ones. Null if
-- there is none.
create function condition_differences(old json, new json) returns json
language sql immutable parallel safe as $$
  select json_agg(json_build_object('type', type, 'old', old_state, 'new', new_state) order by position)
  from (
    select type, older.state as old_state, newer.state as new_state,
      coalesce(newer.position, older.position + 1000000) as position
    from (
      select value ->> 'type' as type, condition_state(value) as state, position
      from json_array_elements(new) with ordinality as listed (value, position)
    ) as newer
    full join (
      select value ->> 'type' as type, condition_state(value) as state, position
      from json_array_elements(old) with ordinality as listed (value, position)
    ) as older using (type)
    where newer.state::text is distinct from older.state::text
  ) as different
$$;

-- The changes in the log in the form of `resource_history`. Reports are not rows: a change of
-- conditions names the adapter of the report next to it, whose time the conditions contain.
create view logged_history as
select changes.resource_id, changes.written_time as time, changes.revision, entry.type,
  changes.kind, changes.tenant, changes.owner_id, changes.name, changes.generation,
  case entry.type
    when 'created' then coalesce(changes.created_by, '')
    when 'updated' then coalesce(changes.updated_by, '')
    when 'deleted' then coalesce(changes.deleted_by, '')
    when 'removed' then coalesce(forced.forced_by, '')
    else coalesce(reporter.adapter, '')
  end as author,
  coalesce(forced.reason, '') as reason,
  case when entry.type = 'removed' then declared.after else declared.before end as before,
  case when entry.type <> 'removed' then declared.after end as after,
  differences.conditions
from changes
cross join lateral (
  select case
    when changes.type = 'ADDED' then 'created'
    when changes.type = 'DELETED' then 'removed'
    when changes.deleted_time is not null and changes.old_deleted_time is null then 'deleted'
    when changes.old_spec is not null then 'updated'
    else 'reported'
  end as type
) as entry
cross join lateral (
  select nullif(
      case when old_spec is distinct from spec and old_spec is not null
        then jsonb_build_object('spec', old_spec) else '{}' end
      || case when old_labels is distinct from labels and old_labels is not null
        then jsonb_build_object('labels', old_labels) else '{}' end
      || case when old_annotations is distinct from annotations and old_annotations is not null
        then jsonb_build_object('annotations', old_annotations) else '{}' end
      || case when old_refs is distinct from refs and old_refs is not null
        then jsonb_build_object('references', old_refs) else '{}' end,
      '{}') as before,
    nullif(
      case when old_spec is distinct from spec
        then jsonb_build_object('spec', spec) else '{}' end
      || case when old_labels is distinct from labels and (old_spec is not null or labels <> '{}')
        then jsonb_build_object('labels', labels) else '{}' end
      || case when old_annotations is distinct from annotations
          and (old_spec is not null or annotations <> '{}')
        then jsonb_build_object('annotations', annotations) else '{}' end
      || case when old_refs is distinct from refs and (old_spec is not null or refs <> '{}')
        then jsonb_build_object('references', refs) else '{}' end,
      '{}') as after
) as declared
cross join lateral (
  select case when changes.old_conditions::text <> changes.conditions::text
    then condition_differences(changes.old_conditions, changes.conditions) end as conditions
) as differences
left join lateral (
  select forced_by, force_deletions.reason from force_deletions
  where entry.type = 'removed' and force_deletions.id in (changes.resource_id, changes.owner_id)
  order by force_deletions.id <> changes.resource_id limit 1
) as forced on true
left join lateral (
  select neighbour.adapter
  from (
    (select adapter, type, last_report_time from changes as earlier
     where earlier.resource_id = changes.resource_id and earlier.revision < changes.revision
     order by earlier.revision desc limit 1)
    union all
    (select adapter, type, last_report_time from changes as later
     where later.resource_id = changes.resource_id and later.revision > changes.revision
     order by later.revision limit 1)
  ) as neighbour
  left join adapter_statuses on adapter_statuses.resource_id = changes.resource_id
    and adapter_statuses.adapter = neighbour.adapter
  cross join lateral (
    select to_char(neighbour.last_report_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      as report_time
  ) as reported
  where entry.type = 'reported' and neighbour.adapter <> '' and neighbour.type <> 'DELETED'
    -- The change brought the time of the report to the condition that exposes its adapter.
    and exists (
      select from json_array_elements(changes.conditions) as listed (condition)
      where condition ->> 'last_updated_time' = report_time
        and condition ->> 'type'
          = coalesce(adapter_statuses.condition_type, condition ->> 'type')
        and not exists (
          select from json_array_elements(changes.old_conditions) as older (old_condition)
          where old_condition ->> 'type' = condition ->> 'type'
            and old_condition ->> 'last_updated_time' = report_time))
  order by neighbour.last_report_time desc limit 1
) as reporter on true
where changes.adapter = '' and changes.moved is not true
  and (entry.type <> 'reported' or differences.conditions is not null)
  and (entry.type <> 'updated' or declared.after is not null or differences.conditions is not null);

-- Adds the next changes of the log to the history, at most `most`, and moves the cursor in the same
-- transaction. `collected` is null if another session does this at the moment. `lag` is the number of
-- changes that remain, and `lost` the number of those that the log has ever dropped before.
create function collect_history(most integer)
returns table (collected integer, lag bigint, lost bigint)
language plpgsql as $$
declare
  start bigint;
  head_revision bigint;
  head_compacted bigint;
begin
  if not pg_try_advisory_xact_lock(7305188031) then
    return query
      select null::integer, head.revision - history_cursor.revision, history_cursor.lost
      from history_cursor, head;
    return;
  end if;
  select history_cursor.revision, history_cursor.lost, head.revision, head.compacted
  into start, lost, head_revision, head_compacted
  from history_cursor, head;
  lost := lost + greatest(head_compacted - start, 0);
  start := greatest(start, head_compacted);
  collected := greatest(least(most, head_revision - start), 0);
  lag := head_revision - start - collected;
  if collected > 0 then
    insert into resource_history (
      resource_id, time, revision, type, kind, tenant, owner_id, name, generation, author, reason,
      before, after, conditions)
    select resource_id, time, revision, type, kind, tenant, owner_id, name, generation, author,
      reason, before, after, conditions
    from logged_history
    where revision > start and revision <= start + collected;
  end if;
  update history_cursor set revision = start + collected, lost = collect_history.lost
  where history_cursor.revision <> start + collected;
  return next;
end
$$;
