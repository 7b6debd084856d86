-- Gives microseconds to times of the servers' clock. No table is rewritten, because the new type stores
-- the same values. Prepared statements that return these columns fail afterwards. Times that PostgreSQL's
-- clock sets keep milliseconds. So do members of fleets, and the events of the audit log, whose time is a
-- key of partitions.
create or replace function use_microseconds() returns void language plpgsql as $$
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
