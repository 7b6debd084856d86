-- Older servers: may run beside this schema. Their requests are not in the audit log.

-- The requests that the audit policy selects, partitioned by day. Text is '' if the value is unknown.
create table audit_events (
  time              timestamptz(3)   not null,
  id                text collate "C" not null,
  -- Metadata, Request or RequestResponse.
  level             text collate "C" not null,
  request_id        text collate "C" not null,
  user_name         text collate "C" not null,
  groups            jsonb            not null,
  -- The user that the caller acted as in a plane.
  impersonated_user text collate "C" not null,
  tenant            text collate "C" not null,
  source_address    text collate "C" not null,
  user_agent        text collate "C" not null,
  verb              text collate "C" not null,
  method            text collate "C" not null,
  -- Without the query.
  path              text collate "C" not null,
  -- The template of the path.
  route             text collate "C" not null,
  plane             text collate "C" not null,
  api_group         text collate "C" not null,
  resource          text collate "C" not null,
  subresource       text collate "C" not null,
  namespace         text collate "C" not null,
  name              text collate "C" not null,
  resource_id       text collate "C" not null,
  status            integer          not null,
  -- succeeded, denied, failed or lost.
  outcome           text collate "C" not null,
  -- The code and the detail of the error.
  code              text collate "C" not null,
  detail            text collate "C" not null,
  duration_ms       integer          not null,
  -- The number of events that a full queue dropped, of an event with the outcome lost.
  dropped           integer          not null,
  request           json,
  response          json,
  constraint audit_events_pkey primary key (time, id)
) partition by range (time);

create index audit_events_by_user on audit_events (user_name, time);
create index audit_events_by_tenant on audit_events (tenant, time);
create index audit_events_by_resource on audit_events (resource_id, time);

-- Rows of days without a partition: those of a restored backup, or of a clock that is wrong.
create table audit_events_default partition of audit_events default;

-- Creates the partition of a day (UTC) unless it exists, and moves the rows of that day to it from the
-- default partition. The parent is partitioned by a column `time`. Returns whether it was created.
create function add_day_partition(parent text, day date) returns boolean language plpgsql as $$
declare
  partition text := parent || '_' || to_char(day, 'YYYYMMDD');
  first_time timestamptz := day::timestamp at time zone 'utc';
  last_time timestamptz := (day + 1)::timestamp at time zone 'utc';
begin
  -- Behind a long search, the lock of the parent would make inserts wait: the caller tries later.
  perform set_config('lock_timeout', '2s', true);
  perform pg_advisory_xact_lock(7305188030);
  if exists (
    select from pg_class
    where relname = partition and relnamespace = current_schema()::regnamespace
  ) then return false; end if;
  execute format('create table %I (like %I including all)', partition, parent);
  -- No row of the day may enter the default partition between the move and the attachment. A query
  -- that was planned before the attachment would find the rows in neither partition, so queries wait.
  execute format('lock table %I in access exclusive mode', parent);
  execute format(
    'with moved as (delete from %I where time >= %L and time < %L returning *)
     insert into %I select * from moved',
    parent || '_default', first_time, last_time, partition);
  execute format(
    'alter table %I attach partition %I for values from (%L) to (%L)',
    parent, partition, first_time, last_time);
  return true;
end
$$;

-- Drops the partitions of the days before a day, and deletes older rows of the default partition.
-- Returns the number of dropped partitions.
create function drop_day_partitions(parent text, before_day date) returns integer
language plpgsql as $$
declare
  partition text;
  dropped integer := 0;
begin
  for partition in
    select child.relname from pg_inherits
    join pg_class child on child.oid = inhrelid
    where inhparent = to_regclass(quote_ident(parent))
      and child.relname ~ ('^' || parent || '_[0-9]{8}$')
      and to_date(right(child.relname, 8), 'YYYYMMDD') < before_day
    order by child.relname
  loop
    execute format('drop table if exists %I', partition);
    dropped := dropped + 1;
  end loop;
  execute format('delete from %I where time < %L',
    parent || '_default', before_day::timestamp at time zone 'utc');
  return dropped;
end
$$;
