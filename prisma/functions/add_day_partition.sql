-- Creates the partition of a day (UTC) unless it exists, and moves the rows of that day to it from the
-- default partition. The parent is partitioned by a column `time`. Returns whether it was created.
create or replace function add_day_partition(parent text, day date) returns boolean language plpgsql as $$
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
