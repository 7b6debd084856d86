-- Objects receive their revisions from the write itself. On a timeline that the epoch does not know,
-- these revisions may have been assigned before the failover, to changes that are lost. Writes hold
-- the shared lock of the epoch, so it cannot begin between this check and the commit.
create or replace function require_object_epoch() returns trigger language plpgsql volatile as $$
begin
  if exists (
    select 1 from object_head
    where origin <> '' and split_part(origin, '/', 2) <> current_timeline()::text
  ) then
    raise exception 'the database has failed over: a new epoch of objects has not begun yet'
      using errcode = 'cannot_connect_now';
  end if;
  return null;
end
$$;
