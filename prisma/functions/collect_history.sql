-- Writes changes of the log to the history, and sets `lost_time` if changes are missing. Changes that
-- the log dropped during a pause are missing in the history, but do not count as lost.
create or replace function collect_history(most integer)
returns table (collected integer, lag bigint, lost bigint)
language plpgsql as $$
declare
  start bigint;
  skipped bigint;
  was_paused boolean;
  head_revision bigint;
  head_compacted bigint;
begin
  if not pg_try_advisory_xact_lock(7305188031) then
    return query
      select null::integer, head.revision - history_cursor.revision, history_cursor.lost
      from history_cursor, head;
    return;
  end if;
  select history_cursor.revision, history_cursor.lost, history_cursor.is_paused, head.revision,
    head.compacted
  into start, lost, was_paused, head_revision, head_compacted
  from history_cursor, head;
  skipped := greatest(head_compacted - start, 0);
  lost := lost + case when was_paused then 0 else skipped end;
  start := greatest(start, head_compacted);
  collected := greatest(least(most, head_revision - start), 0);
  lag := head_revision - start - collected;
  if collected > 0 then
    insert into resource_history (
      resource_id, time, revision, type, kind, tenant, owner_id, name, generation, author, reason,
      before, after, conditions)
    select resource_id, time, revision, type, kind, tenant, owner_id, name, generation, author,
      reason, before, after, conditions
    from logged_history
    where revision > start and revision <= start + collected;
  end if;
  update history_cursor set
    revision = start + collected,
    lost = collect_history.lost,
    lost_time = case
      when skipped = 0 then lost_time
      else coalesce(
        (select written_time from changes where revision > start order by revision limit 1), now())
    end,
    is_paused = false
  where history_cursor.revision <> start + collected or history_cursor.is_paused;
  return next;
end
$$;
