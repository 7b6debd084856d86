-- Older servers: may run beside this schema. Their dry runs are not marked.

-- All for a dry run, otherwise ''.
alter table audit_events add column dry_run text collate "C" not null default '';

-- As before, with a limit for the wait. A drop locks the parent. Behind a long search or a backup it
-- would make inserts and searches wait: the caller tries later.
create or replace function drop_day_partitions(parent text, before_day date) returns integer
language plpgsql as $$
declare
  partition text;
  dropped integer := 0;
begin
  perform set_config('lock_timeout', '2s', true);
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
