-- Begins a new epoch of the log of objects, as `renew_epoch` does for resources.
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
