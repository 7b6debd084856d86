-- Moves the oldest changes of objects from their outbox to their log, as `sequence_changes` does for
-- resources.
create or replace function sequence_objects(max_changes integer, seen_epoch text, seen_sequence bigint)
returns table (moved integer, epoch text, sequence bigint)
language plpgsql volatile as $$
declare
  last_sequence bigint;
begin
  perform renew_object_epoch(seen_epoch, seen_sequence);
  if not pg_try_advisory_xact_lock(7305188023) then return; end if;
  select object_head.epoch, object_head.sequence into epoch, last_sequence from object_head;
  with taken as (
    delete from object_outbox
    where id = any(array(select id from object_outbox order by id limit max_changes))
    returning object_outbox.*
  ), logged as (
    insert into object_changes
    select last_sequence + row_number() over (), in_order.*
    from (select taken.* from taken order by id) as in_order
    returning 1
  )
  select count(*) into moved from logged;
  sequence := last_sequence + moved;
  if moved > 0 then
    update object_head set sequence = sequence_objects.sequence;
    perform pg_notify('flotilla_objects', '');
  end if;
  return next;
end
$$;

-- The same for servers that have not read the log.
create or replace function sequence_objects(max_changes integer)
returns table (moved integer, epoch text, sequence bigint)
language plpgsql volatile as $$
begin
  return query select * from sequence_objects(max_changes, null, null);
end
$$;
