import type { TenantScope } from '../../access/tenant.ts'
import type { Database } from '../../store/database/database.ts'

/** The most rows of each sort that are counted per queue. */
const MAX_COUNTED = 10_000

/** The queues of a kind, as far as they concern a tenant. */
export interface QueueScope {
  readonly kind: string
  readonly tenant: TenantScope
}

/** The state of an adapter's queue. The queue follows the log only while the adapter leases. */
export interface QueueState {
  readonly adapter: string
  /** Resources that wait to be leased, leased ones, and those that are due after a delay. */
  readonly queued: number
  readonly leased: number
  readonly delayed: number
  /** When the oldest of the leases began. */
  readonly oldest_lease_time: Date | null
  /** About the last lease request of any tenant; null for callers of one tenant. */
  readonly used_time: Date | null
}

/** The comparison with '' selects the index by tenant. */
const READ_QUEUES = {
  name: 'read_adapter_queues',
  text: `
    select adapter, queued, leased, delayed, oldest_lease_time,
      case when $2::text is null then used_time end as used_time
    from adapter_queues as queue
    cross join lateral (
      select (
        case when $2::text is null then (
          select count(*) from (
            select from adapter_work as work
            where work.adapter = queue.adapter and work.kind = queue.kind and position is not null
            limit ${MAX_COUNTED}) as counted)
        else (
          select count(*) from (
            select from adapter_work as work
            where work.adapter = queue.adapter and work.kind = queue.kind and position is not null
              and tenant = $2::text and tenant <> ''
            limit ${MAX_COUNTED}) as counted)
        end)::integer as queued
    ) as waiting
    cross join lateral (
      select (count(*) filter (where token is not null))::integer as leased,
        (count(*) filter (where token is null))::integer as delayed,
        min(leased_time) as oldest_lease_time
      from (
        select token, tenant, leased_time from adapter_work as work
        where work.adapter = queue.adapter and work.kind = queue.kind and wake_time > now()
        order by wake_time limit ${MAX_COUNTED}
      ) as timed
      where $2::text is null or tenant = $2::text
    ) as active
    where queue.kind = $1::text`,
}

/** Reads the state of all queues of a kind. Larger counts than 10 000 are cut. */
export function readQueues(
  database: Database,
  { kind, tenant }: QueueScope,
): Promise<readonly QueueState[]> {
  return database.execute<QueueState>(READ_QUEUES, [kind, tenant])
}
