-- Older servers: may run beside this schema. They do not use the new tables, and the queues follow
-- their writes through the log.
--
-- The work queues of adapters. All rows can be rebuilt from resources and reports: a queue only
-- remembers which resources may be due and which of them are leased.

-- The resources of a kind that an adapter leases.
create table adapter_queues (
  adapter      text collate "C" not null,
  kind         text collate "C" not null,
  -- The queue contains every change up to this revision of this epoch.
  epoch        text collate "C" not null,
  revision     bigint           not null,
  -- Existing resources are queued in the order of their creation, up to this one.
  filled_time  timestamptz(3)   not null,
  filled_id    text collate "C" not null default '',
  is_filled    boolean          not null default false,
  -- Unused queues are removed.
  used_time    timestamptz      not null,
  constraint adapter_queues_pkey primary key (adapter, kind)
);

-- A resource in an adapter's queue. It is leased (token), queued (position), waits for a time
-- (wake_time without token), or rests until its report is old (reported_time). A resource that the
-- adapter has finalized has none of them.
create table adapter_work (
  resource_id   text collate "C" not null,
  adapter       text collate "C" not null,
  kind          text collate "C" not null,
  tenant        text collate "C" not null,
  -- The newest generation that the queue knows.
  generation    integer          not null,
  -- The order of queued resources. Each tenant has its own sequence, so that tenants take turns.
  position      bigint,
  -- Whether it is queued only because its report is old. Such resources have their own sequence.
  is_refresh    boolean          not null default false,
  -- Whether the adapter asked to see it again.
  is_requested  boolean          not null default false,
  -- The current lease.
  token         text collate "C",
  leased_time   timestamptz,
  -- The end of the lease, or of a delay.
  wake_time     timestamptz,
  -- The last known report of a resource that is not due.
  reported_time timestamptz(3),
  -- Leases since the last completed one.
  attempts      integer          not null default 0,
  constraint adapter_work_pkey primary key (resource_id, adapter),
  constraint adapter_work_state check (
    num_nonnulls(position, wake_time, reported_time) <= 1
    and (token is null) = (leased_time is null)
    and (token is null or wake_time is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

create index adapter_work_queued on adapter_work (adapter, kind, position)
  where position is not null;
-- The end of each tenant's sequence, and the claims of one tenant.
create index adapter_work_by_tenant on adapter_work (adapter, kind, tenant, is_refresh, position)
  where position is not null;
create index adapter_work_waking on adapter_work (adapter, kind, wake_time)
  where wake_time is not null;
create index adapter_work_resting on adapter_work (adapter, kind, reported_time)
  where reported_time is not null;
