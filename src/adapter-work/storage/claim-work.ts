import sql, { join, type Sql } from 'sql-template-tag'
import type { Database } from '../../store/database/database.ts'
import { dueReason, RESTING_SINCE } from './due-reason.ts'
import type { DueReason, WorkQueue } from './work-queue.ts'

export interface WorkClaim {
  readonly queue: WorkQueue
  /** A compiled search on the resource; null for all resources. */
  readonly filter: Sql | null
  readonly limit: number
  readonly leaseSeconds: number
  /** The second part of the tokens; the first is the ID of the resource. */
  readonly nonce: string
}

/** A leased resource. */
export interface LeasedRow {
  readonly resource_id: string
  readonly reason: DueReason
  readonly attempts: number
  readonly token: string
  readonly expires_time: Date
}

export interface ClaimedWork {
  readonly leased: readonly LeasedRow[]
  /** Whether the claim took as many rows as it may: the queue may have more. */
  readonly isFull: boolean
}

/**
 * Leases the next resources in one statement. It skips rows that other transactions have locked, so
 * claims never wait for each other and never share a resource. It examines the resource and the
 * report again: those that are no longer due rest instead. All times are the database's, so the
 * clocks of servers do not matter. Rows are taken before they are joined: otherwise, a plan for a
 * short queue would join all rows of a long one.
 */
export async function claimWork(database: Database, claim: WorkClaim): Promise<ClaimedWork> {
  const rows = await run(database, claim, claimStatement(claim))
  const picked = rows[0]?.picked ?? 0
  return { leased: rows.filter(isLeased), isFull: picked >= claim.limit }
}

/** The statement of `claimWork`. */
export function claimStatement(claim: WorkClaim): Sql {
  const { queue, limit, leaseSeconds, nonce } = claim
  const reason = dueReason(queue, sql`w.is_requested`)
  return sql`
    with taken as materialized (
      select w.resource_id, w.position, w.is_requested from adapter_work as w
      where ${conditionsOf(claim)}
      order by w.position limit ${limit}::bigint for update skip locked
    ), picked as materialized (
      select w.resource_id, w.position, r.id is null as is_gone, r.generation, ${reason} as reason,
        ${RESTING_SINCE} as reported_time
      from taken as w
        left join resources as r on r.id = w.resource_id
        left join adapter_statuses as s
          on s.resource_id = w.resource_id and s.adapter = ${queue.adapter}::text
    ), leased as (
      update adapter_work as work set
        token = work.resource_id || '.' || ${nonce}::text,
        leased_time = now(),
        wake_time = now() + make_interval(secs => ${leaseSeconds}::double precision),
        position = null, generation = greatest(work.generation, picked.generation),
        attempts = work.attempts + 1
      from picked
      where work.resource_id = picked.resource_id and work.adapter = ${queue.adapter}::text
        and not is_gone and reason is not null
      returning work.resource_id, reason, work.attempts, work.token, work.wake_time as expires_time,
        picked.position
    ), rested as (
      update adapter_work as work set
        position = null, reported_time = picked.reported_time, attempts = 0,
        generation = picked.generation
      from picked
      where work.resource_id = picked.resource_id and work.adapter = ${queue.adapter}::text
        and not is_gone and reason is null
        -- Unless the row is newer than the statement's snapshot of the resource.
        and picked.generation >= work.generation
    ), removed as (
      delete from adapter_work as work using picked
      where work.resource_id = picked.resource_id and work.adapter = ${queue.adapter}::text
        and is_gone
    )
    select leased.*, (select count(*) from picked)::integer as picked
    from (select 1) as one left join leased on true order by leased.position`
}

type Row = { readonly picked: number } & (LeasedRow | { readonly resource_id: null })

function isLeased(row: Row): row is Row & LeasedRow {
  return row.resource_id !== null
}

/** A search is planned for its values. */
function run(database: Database, { queue, filter }: WorkClaim, statement: Sql): Promise<Row[]> {
  if (filter !== null) return database.query<Row>('search_work', statement)
  return database.execute<Row>(
    {
      name: queue.tenant === null ? 'claim_work' : 'claim_work_of_tenant',
      text: statement.text,
    },
    statement.values,
  )
}

function conditionsOf({ queue, filter }: WorkClaim): Sql {
  const conditions = [
    sql`w.adapter = ${queue.adapter}::text`,
    sql`w.kind = ${queue.kind}::text`,
    sql`w.position is not null`,
    ...(queue.tenant === null ? [] : [sql`w.tenant = ${queue.tenant}::text`]),
    ...(filter === null ? [] : [matching(filter)]),
  ]
  return join(conditions, ' and ')
}

/** The inner query resolves the columns of the filter. */
function matching(filter: Sql): Sql {
  return sql`exists (select 1 from resources where resources.id = w.resource_id and (${filter}))`
}
