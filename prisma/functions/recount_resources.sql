-- Recomputes the totals from the rows. Writers do not wait for it; the sequencer does.
create or replace function recount_resources() returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(7305188022);
  delete from resource_counts;
  -- One statement, so that resources and outbox are read from one snapshot.
  insert into resource_counts (kind, owner_id, tenant, total)
  select kind, counted.owner_id, tenant, sum(growth)
  from (
    select kind, owner_id, tenant, 1 as growth from resources
    union all
    select kind, owner_id, tenant, case type when 'ADDED' then -1 else 1 end from outbox
    where kind is not null and type <> 'MODIFIED'
  ) as grown
  cross join lateral (
    select '' as owner_id union select grown.owner_id
  ) as counted
  group by kind, counted.owner_id, tenant
  having sum(growth) <> 0;
end
$$;
