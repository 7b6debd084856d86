-- Drops the partitions of days before a day (UTC), and returns their number. A drop locks the parent
-- and would make inserts and searches wait behind a long search or a backup, so it limits its wait:
-- the caller tries later.
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
