-- Begins a new epoch of the log of resources if the database has another timeline, or if a server has
-- read revisions that the log does not have. A second server may have read further than the one that
-- kept the epoch: those revisions would be assigned again.
create or replace function renew_epoch(seen_epoch text, seen_revision bigint) returns void
language plpgsql volatile as $$
declare
  here text := database_origin();
begin
  -- PostgreSQL would plan the update for every call: it estimates less cost for nulls than for others.
  if not exists (
    select 1 from head
    where origin <> here or (head.epoch = seen_epoch and head.revision < seen_revision)
  ) then return; end if;
  update head set
    epoch = case
      when head.epoch = seen_epoch and head.revision >= seen_revision
        and is_later_timeline(head.origin, here) then head.epoch
      else left(md5(gen_random_uuid()::text), 8)
    end,
    origin = here
  where origin <> here or (head.epoch = seen_epoch and head.revision < seen_revision);
end
$$;
