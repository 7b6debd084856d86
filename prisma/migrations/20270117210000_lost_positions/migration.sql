-- Older servers: may run. They call the same functions, whose results they handle.

-- As before. A second server may have read further than the one that kept the epoch: its position is
-- lost, and its revisions would be assigned again, so a position beyond the log begins a new epoch too.
create or replace function renew_epoch(seen_epoch text, seen_revision bigint) returns void
language plpgsql volatile as $$
declare
  here text := database_origin();
begin
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

-- The same for the log of objects.
create or replace function renew_object_epoch(seen_epoch text, seen_sequence bigint) returns void
language plpgsql volatile as $$
declare
  here text := database_origin();
begin
  if not exists (
    select 1 from object_head
    where origin <> here or (object_head.epoch = seen_epoch and object_head.sequence < seen_sequence)
  ) then return; end if;
  perform pg_advisory_xact_lock(7305188024);
  if exists (
    select 1 from object_head
    where object_head.epoch = seen_epoch and object_head.sequence >= seen_sequence
      and is_later_timeline(object_head.origin, here)
  ) then
    update object_head set origin = here;
    return;
  end if;
  update object_head set
    epoch = left(md5(gen_random_uuid()::text), 8),
    origin = here,
    floor = case when origin = '' then floor
      else greatest(floor, (extract(epoch from clock_timestamp()) * 1048576)::bigint) end
  where origin <> here
    or (object_head.epoch = seen_epoch and object_head.sequence < seen_sequence);
end
$$;
