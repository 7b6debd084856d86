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
  /** The queued rows to examine; all of them by default. */
  readonly part?: QueuePart
}

/** The next rows of the queue after a position; null for the beginning. */
interface QueuePart {
  readonly after: bigint | null
  readonly rows: number
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

/** The result of a claim in a part of the queue. */
interface ClaimedPart extends ClaimedWork {
  /** The position of the last examined row; null for the whole queue, and beyond its end. */
  readonly last: bigint | null
}

/**
 * Leases the next resources in one statement. It skips rows that other transactions have locked, so
 * claims never wait for each other and never share a resource. It examines the resource and the
 * report again: those that are no longer due rest instead. All times are the database's, so the
 * clocks of servers do not matter. Rows are taken before they are joined: otherwise, a plan for a
 * short queue would join all rows of a long one.
 */
export async function claimWork(database: Database, claim: WorkClaim): Promise<ClaimedPart> {
  const rows = await run(database, claim, claimStatement(claim))
  const { picked = 0, last = null } = rows[0] ?? {}
  return { leased: rows.filter(isLeased), isFull: picked >= claim.limit, last }
}

/** The planner's cost of finding all queued resources that match a search. Reads no rows. */
export async function estimateClaim(database: Database, claim: WorkClaim): Promise<number> {
  const statement = sql`explain (format json)
    select 1 from adapter_work as w where ${conditionsOf(claim)}`
  const rows = await database.query<{
    'QUERY PLAN': readonly [{ Plan: { 'Total Cost': number } }]
  }>('estimate_work', statement)
  return rows[0]?.['QUERY PLAN'][0].Plan['Total Cost'] ?? 0
}

/** The statement of `claimWork`. */
export function claimStatement(claim: WorkClaim): Sql {
  const { queue, limit, leaseSeconds, nonce } = claim
  const reason = dueReason(queue, sql`w.is_requested`)
  return sql`
    with ${partOf(claim)} taken as materialized (
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
    select leased.*, (select count(*) from picked)::integer as picked${lastOf(claim)}
    from (select 1) as one left join leased on true order by leased.position`
}

/** The end of the examined part. */
function partOf({ queue, part }: WorkClaim): Sql {
  if (part === undefined) return sql``
  return sql`part as materialized (
      select max(position) as last from (
        select w.position from adapter_work as w
        where ${join(conditionsOfQueue(queue), ' and ')} and ${follows(part)}
        order by w.position limit ${part.rows}::bigint
      ) as next
    ),`
}

function lastOf({ part }: WorkClaim): Sql {
  return part === undefined ? sql`` : sql`, (select last from part) as last`
}

function follows({ after }: QueuePart): Sql {
  return after === null ? sql`true` : sql`w.position > ${after}::bigint`
}

type Row = { readonly picked: number; readonly last?: bigint | null } & (
  | LeasedRow
  | { readonly resource_id: null }
)

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

function conditionsOf({ queue, filter, part }: WorkClaim): Sql {
  const inPart = part && sql`${follows(part)} and w.position <= (select last from part)`
  const conditions = [
    ...conditionsOfQueue(queue),
    ...(filter === null ? [] : [matching(filter)]),
    ...(inPart === undefined ? [] : [inPart]),
  ]
  return join(conditions, ' and ')
}

function conditionsOfQueue(queue: WorkQueue): readonly Sql[] {
  return [
    sql`w.adapter = ${queue.adapter}::text`,
    sql`w.kind = ${queue.kind}::text`,
    sql`w.position is not null`,
    ...(queue.tenant === null ? [] : [sql`w.tenant = ${queue.tenant}::text`]),
  ]
}

/** The inner query resolves the columns of the filter. */
function matching(filter: Sql): Sql {
  return sql`exists (select 1 from resources where resources.id = w.resource_id and (${filter}))`
}
