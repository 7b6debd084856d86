import sql from 'sql-template-tag'
import { retrySeconds } from './retry-seconds.ts'

/** The effect of a report on the lease that it completes. */
export type LeaseOutcome =
  /** The resource rests until the report is old. */
  | 'current'
  /** The report is not about the resource's generation, which is due immediately. */
  | 'outdated'
  /** The resource is being deleted and not finalized: it is due again after a delay. */
  | 'pending-deletion'
  /** The adapter has finalized the resource. */
  | 'finished'

/** The lease that a report completes. */
export interface CompletedLease {
  readonly token: string
  readonly outcome: LeaseOutcome
  /** The seconds after which the adapter asks to see the resource again; null if it does not. */
  readonly againSeconds: number | null
}

/** The parameters of the clauses. */
export function leaseValues({ token, outcome, againSeconds }: CompletedLease): readonly unknown[] {
  return [token, outcome, againSeconds]
}

/** Parts of a statement that writes a report. */
export interface LeaseClauses {
  readonly held: string
  readonly condition: string
  readonly completed: string
}

/** The expressions that a completion depends on. */
interface Completion {
  readonly outcome: string
  readonly againSeconds: string
  /** The generation of the report. */
  readonly generation: string
}

/**
 * The new values of a row of the queue (`work`) whose lease a report completes. A report about
 * another generation makes the resource due immediately, but not repeatedly: an adapter that always
 * reports a wrong generation would lease in a loop.
 */
export function completion({ outcome, againSeconds, generation }: Completion): string {
  const again = `${againSeconds}::double precision`
  const retry = `now() + make_interval(secs => ${retrySeconds(sql`work.attempts`).text})`
  const isOutdated = `(${outcome} = 'outdated' or work.generation > ${generation})`
  return `token = null, leased_time = null,
        is_requested = ${again} is not null and ${outcome} <> 'finished',
        wake_time = case
          when ${outcome} = 'finished' then null
          when ${isOutdated} then case when work.attempts > 1 then ${retry} else now() end
          when ${again} is not null then now() + make_interval(secs => ${again})
          when ${outcome} = 'pending-deletion' then ${retry} end,
        reported_time = case when ${outcome} = 'current' and ${again} is null
          and not ${isOutdated} then now() end,
        attempts = case when ${outcome} in ('pending-deletion', 'outdated') then work.attempts
          else 0 end`
}

/**
 * The clauses that make a statement with the parameters of `reportValues` write a report only while
 * its lease is held, and complete the lease. Their own parameters begin at `first`. `held_lease`
 * locks the row of the queue before the statement locks others, so no other worker can lease the
 * resource during the write.
 */
export function leaseClauses(first: number): LeaseClauses {
  const values = {
    outcome: `$${first + 1}::text`,
    againSeconds: `$${first + 2}`,
    generation: '$3::integer',
  }
  return {
    held: `held_lease as materialized (
      select resource_id from adapter_work
      where resource_id = $1::text and adapter = $2::text and token = $${first}::text
        and wake_time > now()
      for update
    ), `,
    condition: 'and exists (select 1 from held_lease)',
    completed: `, completed as (
      update adapter_work as work set
        ${completion(values)}
      from stored where work.resource_id = $1::text and work.adapter = $2::text
    )`,
  }
}
