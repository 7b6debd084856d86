-- Exact totals of lists. Writers do not touch them: the sequencer, which one session at a time
-- runs, adds what it moves to the log. In every snapshot the number of rows is the stored total plus
-- the additions and removals that still wait in the inbox.
create table resource_counts (
  kind     text collate "C" not null,
  -- The parent whose children are counted; '' for all resources of the kind.
  owner_id text collate "C" not null,
  tenant   text collate "C" not null,
  -- Never 0: such a row is removed.
  total    bigint           not null,
  constraint resource_counts_pkey primary key (kind, owner_id, tenant)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Additions and removals that are not counted yet.
create index inbox_uncounted on inbox (kind, owner_id)
  where kind is not null and type <> 'MODIFIED';

-- The number of resources of these kinds, those that are being deleted included, below one parent
-- and of one tenant; null for any parent or any tenant. Stable: it sees the snapshot of the
-- statement that calls it, so that a page and its total agree.
create function resource_total(kinds text[], parent text, of_tenant text) returns bigint
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(total), 0)::bigint from resource_counts
    where kind = any(kinds) and owner_id = coalesce(parent, '')
      and (of_tenant is null or tenant = of_tenant)
  ) + (
    select coalesce(sum(case type when 'ADDED' then 1 else -1 end), 0)::bigint from inbox
    where kind = any(kinds) and kind is not null and type <> 'MODIFIED'
      and (parent is null or owner_id = parent) and (of_tenant is null or tenant = of_tenant)
  );
end
$$;

-- Counts again from the rows. No write waits for it; the sequencer does.
create function recount_resources() returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(7305188022);
  delete from resource_counts;
  -- One statement: the rows and what waits in the inbox are of one snapshot.
  insert into resource_counts (kind, owner_id, tenant, total)
  select kind, counted.owner_id, tenant, sum(growth)
  from (
    select kind, owner_id, tenant, 1 as growth from resources
    union all
    select kind, owner_id, tenant, case type when 'ADDED' then -1 else 1 end from inbox
    where kind is not null and type <> 'MODIFIED'
  ) as grown
  cross join lateral (
    select '' as owner_id union select grown.owner_id
  ) as counted
  group by kind, counted.owner_id, tenant
  having sum(growth) <> 0;
end
$$;

-- Moves the oldest changes from the inbox to the log and counts the resources that they add and
-- remove; the number of those moved and the head, or nothing if another session is doing so. The
-- lock is held until the commit, and each query sees what was committed before: revisions become
-- visible in their order and without gaps.
create or replace function sequence_changes(most integer)
returns table (moved integer, epoch text, revision bigint)
language plpgsql volatile as $$
declare
  last_revision bigint;
  uncounted integer;
begin
  if not pg_try_advisory_xact_lock(7305188022) then return; end if;
  select head.epoch, head.revision into epoch, last_revision from head;
  with taken as (
    delete from inbox where id = any(array(select id from inbox order by id limit most))
    returning inbox.*
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

-- `truncate` fires no trigger of a row.
create function recount_after_truncate() returns trigger language plpgsql as $$
begin
  perform recount_resources();
  return null;
end
$$;

create trigger recount after truncate on resources
  for each statement execute function recount_after_truncate();

select recount_resources();
