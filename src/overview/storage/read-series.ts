import type { TenantScope } from '../../access/tenant.ts'
import type { Database } from '../../store/database/database.ts'

/** The numbers of a kind, or of an adapter of a kind, in a step. */
export interface SeriesStep {
  readonly kind: string
  /** Empty for the kind. */
  readonly adapter: string
  /** The number of the step, from 0. */
  readonly step: number
  readonly total: number
  readonly not_ready: number
  readonly waiting: number | null
  readonly changes_per_second: number | null
  readonly reports_per_second: number | null
  readonly latency_seconds: number | null
}

interface Scope {
  readonly tenant: TenantScope
  readonly kinds: readonly string[]
  readonly hasAdapters: boolean
  readonly from: Date
  readonly to: Date
  readonly stepSeconds: number
  /** The most adapters: those with the most waiting resources, then reports. */
  readonly maxAdapters: number
}

/**
 * Counters only grow, so a step needs the last one of the step before. They fall if a row was
 * deleted: such a difference is 0. Steps before the window provide the first difference.
 */
const READ_SERIES = {
  name: 'read_series',
  text: `
    with steps as (
      select tenant, kind, adapter, max(minute) as minute,
        date_bin($6::integer * interval '1 second', minute - interval '1 second', $4::timestamptz)
          as start,
        max(total) as total, max(not_ready) as not_ready, max(waiting) as waiting,
        max(changes) as changes, max(reports) as reports, max(measured) as measured,
        max(latency_seconds) as latency_seconds
      from count_minutes
      where ($1::text is null or tenant = $1::text) and kind = any($2::text[])
        and ($3::boolean or adapter = '')
        and minute > $4::timestamptz - interval '30 minutes' and minute <= $5::timestamptz
      group by tenant, kind, adapter, start
    ), differences as (
      select kind, adapter, start, total, not_ready, waiting,
        extract(epoch from minute - lag(minute) over series)::float8 as seconds,
        greatest(0, changes - lag(changes) over series)::float8 as changes,
        greatest(0, reports - lag(reports) over series)::float8 as reports,
        greatest(0, measured - lag(measured) over series)::float8 as measured,
        greatest(0, latency_seconds - lag(latency_seconds) over series) as latency_seconds
      from steps
      window series as (partition by tenant, kind, adapter order by start)
    ), summed as (
      select kind, adapter,
        (extract(epoch from start - $4::timestamptz) / $6::integer)::integer as step,
        sum(total)::float8 as total, sum(not_ready)::float8 as not_ready,
        sum(waiting)::float8 as waiting, sum(changes / seconds) as changes_per_second,
        sum(reports / seconds) as reports_per_second,
        sum(latency_seconds) / nullif(sum(measured), 0) as latency_seconds
      from differences
      where start >= $4::timestamptz
      group by kind, adapter, start
    ), shown as (
      select kind, adapter from summed
      group by kind, adapter
      order by adapter <> '', max(waiting) desc nulls last,
        sum(reports_per_second) desc nulls last, adapter
      limit $7::integer + cardinality($2::text[])
    )
    select kind, adapter, step, total, not_ready, waiting, changes_per_second, reports_per_second,
      latency_seconds
    from summed join shown using (kind, adapter)
    order by kind, adapter, step`,
}

/** Reads the steps of kinds, and of their adapters, ordered by kind, adapter and step. */
export function readSeries(database: Database, scope: Scope): Promise<readonly SeriesStep[]> {
  const { tenant, kinds, hasAdapters, from, to, stepSeconds, maxAdapters } = scope
  const values = [tenant, [...kinds], hasAdapters, from, to, stepSeconds, maxAdapters]
  return database.execute<SeriesStep>(READ_SERIES, values)
}
