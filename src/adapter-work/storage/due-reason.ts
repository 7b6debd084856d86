import sql, { type Sql } from 'sql-template-tag'
import type { WorkQueue } from './work-queue.ts'

/**
 * Why the resource `r` with the adapter's report `s` is due, or null if it is not. The resource and
 * the report decide; the queue contributes only whether the adapter asked to see the resource again.
 * A resource that declares other adapters than its kind is not due for the adapters of the kind,
 * unless they have reported on it.
 */
export function dueReason(queue: WorkQueue, isRequested: Sql): Sql {
  const { adapter, isRequired, maxAgeSeconds, tenant } = queue
  return sql`case
      when ${isRequired}::boolean and not r.required_adapters ? ${adapter}::text
        and s.adapter is null then null
      when r.deleted_time is not null then
        case when s.finalized and s.observed_generation = r.generation then null else 'Deletion' end
      when s.observed_generation is distinct from r.generation then 'NewGeneration'
      when s.last_report_time
        <= now() - make_interval(secs => ${maxAgeSeconds}::double precision)
        and (${tenant}::text is null or r.tenant = ${tenant}::text) then 'ReportExpired'
      when ${isRequested} then 'Requested'
    end`
}

/** The last report of a resource that is not due; null if the adapter has finalized it. */
export const RESTING_SINCE = sql`case when r.deleted_time is null then s.last_report_time end`
