import sql from 'sql-template-tag'
import type { Database } from '../../store/database/database.ts'
import { placeWork } from './place-work.ts'
import type { WorkQueue } from './work-queue.ts'

/** The maximum number of rows that one statement wakes, of each sort. */
const MAX_ROWS = 2000

/** Resources whose time has come. */
export interface Woken {
  /** The number of resources that were examined. */
  readonly count: number
  /** Milliseconds until the next time; null if no time is set. */
  readonly nextMs: number | null
}

/**
 * Queues the resources whose lease or delay has ended and those whose last report is old, only of
 * the request's tenant. A lease that ends without a result repeatedly delays the resource, longer
 * each time.
 */
export async function wakeWork(database: Database, queue: WorkQueue): Promise<Woken> {
  const { adapter, kind, maxAgeSeconds, tenant } = queue
  const maxAge = sql`make_interval(secs => ${maxAgeSeconds}::double precision)`
  const inQueue = sql`adapter = ${adapter}::text and kind = ${kind}::text`
  // The comparison with '' selects the index by tenant.
  const inScope =
    tenant === null ? inQueue : sql`${inQueue} and tenant = ${tenant}::text and tenant <> ''`
  const statement = sql`
    with ids as materialized (
      (select resource_id from adapter_work
        where ${inQueue} and wake_time <= now() order by wake_time limit ${MAX_ROWS}::bigint)
      union
      (select resource_id from adapter_work
        where ${inScope} and reported_time <= now() - ${maxAge}
        order by reported_time limit ${MAX_ROWS}::bigint)
    ), ${placeWork(queue, { waits: false })}
    select
      (select count(*) from decided)::integer as count,
      (extract(epoch from least(
        (select min(wake_time) from adapter_work where ${inQueue} and wake_time > now()),
        (select min(reported_time) from adapter_work
          where ${inScope} and reported_time > now() - ${maxAge}) + ${maxAge}
      ) - now()) * 1000)::double precision as next_ms`
  const [row] = await database.execute<{ count: number; next_ms: number | null }>(
    { name: tenant === null ? 'wake_work' : 'wake_work_of_tenant', text: statement.text },
    statement.values,
  )
  return { count: row?.count ?? 0, nextMs: row?.next_ms ?? null }
}
