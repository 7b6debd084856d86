-- Older servers: may run. Their statements call the functions with one argument, which begin a new
-- epoch after every failover. Writes to planes wait for it: until then they fail with 57P03, which
-- these servers answer with 503 and Retry-After.

-- The timeline on which this server writes. The control file has it only after the first checkpoint
-- on the timeline, which can be minutes after a promotion. Fails on a standby.
create function current_timeline() returns integer language sql volatile
return ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer;

-- The database whose log an epoch identifies: `<system>/<timeline>/<oid>`.
create function database_origin() returns text language sql volatile
return (
  select concat_ws('/', system_identifier, current_timeline(), pg_database.oid)
  from pg_control_system(), pg_database
  where datname = current_database()
);

-- Whether the second origin is a later timeline of the same database.
create function is_later_timeline(earlier text, later text) returns boolean
language sql immutable
return split_part(earlier, '/', 1) = split_part(later, '/', 1)
  and split_part(earlier, '/', 3) = split_part(later, '/', 3)
  and nullif(split_part(earlier, '/', 2), '')::integer < split_part(later, '/', 2)::integer;

-- Begins a new epoch if the current one began in another database or on another timeline. With a
-- position that a server has seen in the current epoch, a later timeline keeps the epoch if its log
-- contains this position. The server vouches that no commit was lost.
create function renew_epoch(seen_epoch text, seen_revision bigint) returns void
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
  where origin <> here;
end
$$;

-- The same for the log of objects. Revisions of an earlier epoch may be lost with their database, and
-- must not be assigned again. The floor is the current time, which a plane reaches only with a million
-- writes per second. The first epoch of a database has no floor. Waits for running writes, whose
-- revisions belong to the earlier epoch.
create function renew_object_epoch(seen_epoch text, seen_sequence bigint) returns void
language plpgsql volatile as $$
declare
  here text := database_origin();
begin
  if exists (select 1 from object_head where origin = here) then return; end if;
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
  where origin <> here;
end
$$;

-- As before, but a log never continues on another timeline under the same epoch.
create or replace function sequence_changes(max_changes integer)
returns table (moved integer, epoch text, revision bigint)
language plpgsql volatile as $$
declare
  last_revision bigint;
  uncounted integer;
begin
  if not pg_try_advisory_xact_lock(7305188022) then return; end if;
  perform renew_epoch(null, null);
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

-- The same for servers that have seen the log: `renew_epoch` may keep the epoch.
create function sequence_changes(max_changes integer, seen_epoch text, seen_revision bigint)
returns table (moved integer, epoch text, revision bigint)
language plpgsql volatile as $$
begin
  perform renew_epoch(seen_epoch, seen_revision);
  return query select * from sequence_changes(max_changes);
end
$$;

-- As before, but a log never continues on another timeline under the same epoch.
create or replace function sequence_objects(max_changes integer)
returns table (moved integer, epoch text, sequence bigint)
language plpgsql volatile as $$
declare
  last_sequence bigint;
begin
  if not pg_try_advisory_xact_lock(7305188023) then return; end if;
  perform renew_object_epoch(null, null);
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

-- The same for servers that have seen the log: `renew_object_epoch` may keep the epoch.
create function sequence_objects(max_changes integer, seen_epoch text, seen_sequence bigint)
returns table (moved integer, epoch text, sequence bigint)
language plpgsql volatile as $$
begin
  perform renew_object_epoch(seen_epoch, seen_sequence);
  return query select * from sequence_objects(max_changes);
end
$$;

-- Objects receive their revisions from the write itself. On a timeline that the epoch does not know,
-- these revisions may have been assigned before the failover, to changes that are lost. Writes hold
-- the shared lock of the epoch, so it cannot begin between this check and the commit.
create function require_object_epoch() returns trigger language plpgsql volatile as $$
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
create trigger object_outbox_epoch before insert on object_outbox
for each statement execute function require_object_epoch();
