import type { Database } from '../../store/database/database.ts'

/** The time in which the weight of a report in the rate falls by the factor e. */
export const WEIGHT_SECONDS = 60
/** A smaller weight than e to the power of this is 0, as far as rates matter. */
export const MAX_EXPONENT = 100

/** The reports of an adapter about the resources of a kind and tenant since the last record. */
export interface CountedReports {
  readonly kind: string
  readonly tenant: string
  readonly adapter: string
  /** The time of the last one. */
  readonly time: Date
  readonly count: number
  /** The reports of which the latency is known, and the sum of their latencies in seconds. */
  readonly measured: number
  readonly latency: number
}

/** Servers add their reports. The order of the rows is that of their locks. */
const RECORD_REPORTS = {
  name: 'record_reports',
  text: `
    insert into adapter_reports as old (
      kind, tenant, adapter, last_report_time, recent, reports, measured, latency_seconds)
    select kind, tenant, adapter, time, count, count, measured, latency
    from json_to_recordset($1::json) as counted (kind text, tenant text, adapter text,
      time timestamptz, count integer, measured integer, latency float8)
    order by kind, tenant, adapter
    on conflict (kind, tenant, adapter) do update set
      reports = old.reports + excluded.reports,
      measured = old.measured + excluded.measured,
      latency_seconds = old.latency_seconds + excluded.latency_seconds,
      last_report_time = greatest(old.last_report_time, excluded.last_report_time),
      recent = excluded.recent + old.recent * exp(-least(${MAX_EXPONENT}, greatest(0,
        extract(epoch from excluded.last_report_time - old.last_report_time)::float8
          / ${WEIGHT_SECONDS})))`,
}

/** Records the last report and the number of reports of each kind, tenant and adapter. */
export async function recordReports(
  database: Database,
  counted: readonly CountedReports[],
): Promise<void> {
  await database.execute(RECORD_REPORTS, [JSON.stringify(counted)])
}
