-- Moves the oldest changes from the outbox to the log, and counts the resources that they add and
-- remove. Returns the number of moved changes and the newest revision, or no row if another session
-- holds the lock. The transaction holds the lock until its commit, and each statement reads the latest
-- commits: revisions become visible in order and without gaps. `renew_epoch` first begins a new epoch if
-- the database has a new timeline, which cannot happen during the transaction.
create or replace function sequence_changes(max_changes integer, seen_epoch text, seen_revision bigint)
returns table (moved integer, epoch text, revision bigint)
language plpgsql volatile as $$
declare
  last_revision bigint;
  uncounted integer;
begin
  perform renew_epoch(seen_epoch, seen_revision);
  if not pg_try_advisory_xact_lock(7305188022) then return; end if;
  select head.epoch, head.revision into epoch, last_revision from head;
  with taken as (
    delete from outbox where id = any(array(select id from outbox order by id limit max_changes))
    returning outbox.*
  ), logged as (
    insert into changes
    select last_revision + row_number() over (), in_order.*
    from (select taken.* from taken order by id) as in_order
    returning changes.kind is not null and changes.type <> 'MODIFIED' as is_uncounted
  )
  select count(*), count(*) filter (where is_uncounted) into moved, uncounted from logged;
  revision := last_revision + moved;
  if uncounted > 0 then
    merge into resource_counts as counted
    using (
      select changes.kind, scope.owner_id, changes.tenant,
        sum(case changes.type when 'ADDED' then 1 else -1 end) as growth
      from changes
      cross join lateral (select '' as owner_id union select changes.owner_id) as scope
      where changes.revision > last_revision and changes.revision <= sequence_changes.revision
        and changes.kind is not null and changes.type <> 'MODIFIED'
      group by changes.kind, scope.owner_id, changes.tenant
    ) as grown
    on counted.kind = grown.kind and counted.owner_id = grown.owner_id
      and counted.tenant = grown.tenant
    when matched and counted.total + growth = 0 then delete
    when matched then update set total = counted.total + growth
    when not matched and growth <> 0 then
      insert (kind, owner_id, tenant, total)
      values (grown.kind, grown.owner_id, grown.tenant, growth);
  end if;
  if moved > 0 then
    update head set revision = sequence_changes.revision;
    perform pg_notify('flotilla_changes', '');
  end if;
  return next;
end
$$;

-- The same for servers that have not read the log.
create or replace function sequence_changes(max_changes integer)
returns table (moved integer, epoch text, revision bigint)
language plpgsql volatile as $$
begin
  return query select * from sequence_changes(max_changes, null, null);
end
$$;
