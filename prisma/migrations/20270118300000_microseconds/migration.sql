-- Older servers: may run beside this schema until all servers read microseconds: only then servers
-- call `use_microseconds` and replace this statement. See docs/decisions/0060.

-- The changes in the log in the form of `resource_history`. Reports are not rows: a change of
-- conditions names the adapter of the report next to it, whose time the conditions contain, with three
-- or six digits.
create or replace view logged_history as
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
    select rtrim(
        to_char(neighbour.last_report_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        '0.Z')
      as report_time
  ) as reported
  where entry.type = 'reported' and neighbour.adapter <> '' and neighbour.type <> 'DELETED'
    -- The change brought the time of the report to the condition that exposes its adapter.
    and exists (
      select from json_array_elements(changes.conditions) as listed (condition)
      where rtrim(condition ->> 'last_updated_time', '0.Z') = report_time
        and condition ->> 'type'
          = coalesce(adapter_statuses.condition_type, condition ->> 'type')
        and not exists (
          select from json_array_elements(changes.old_conditions) as older (old_condition)
          where old_condition ->> 'type' = condition ->> 'type'
            and rtrim(old_condition ->> 'last_updated_time', '0.Z') = report_time))
  order by neighbour.last_report_time desc limit 1
) as reporter on true
where changes.adapter = '' and changes.moved is not true
  and (entry.type <> 'reported' or differences.conditions is not null)
  and (entry.type <> 'updated' or declared.after is not null or differences.conditions is not null);

-- Gives microseconds to times of the servers' clock. No table is rewritten, because the new type stores
-- the same values. Prepared statements that return these columns fail afterwards. Times that PostgreSQL's
-- clock sets keep milliseconds. So do members of fleets, and the events of the audit log, whose time is a
-- key of partitions.
create function use_microseconds() returns void language plpgsql as $$
declare
  -- Older servers wrote to the outbox through this view.
  inbox_query text := pg_get_viewdef('inbox'::regclass);
  history_query text := pg_get_viewdef('logged_history'::regclass);
begin
  drop view inbox;
  drop view logged_history;
  alter table resources
    alter column created_time type timestamptz,
    alter column updated_time type timestamptz,
    alter column deleted_time type timestamptz;
  alter table adapter_statuses
    alter column created_time type timestamptz,
    alter column last_report_time type timestamptz,
    alter column observed_time type timestamptz;
  alter table force_deletions
    alter column forced_time type timestamptz;
  alter table idempotency_keys
    alter column created_time type timestamptz;
  alter table outbox
    alter column created_time type timestamptz,
    alter column updated_time type timestamptz,
    alter column deleted_time type timestamptz,
    alter column last_report_time type timestamptz,
    alter column observed_time type timestamptz,
    alter column old_updated_time type timestamptz,
    alter column old_deleted_time type timestamptz;
  alter table changes
    alter column created_time type timestamptz,
    alter column updated_time type timestamptz,
    alter column deleted_time type timestamptz,
    alter column last_report_time type timestamptz,
    alter column observed_time type timestamptz,
    alter column old_updated_time type timestamptz,
    alter column old_deleted_time type timestamptz;
  alter table webhooks
    alter column created_time type timestamptz,
    alter column updated_time type timestamptz;
  alter table adapter_queues
    alter column filled_time type timestamptz;
  alter table adapter_work
    alter column reported_time type timestamptz;
  execute 'create view inbox as ' || inbox_query;
  execute 'create view logged_history as ' || history_query;
end $$;
