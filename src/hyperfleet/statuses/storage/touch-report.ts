import type { Database } from '../../../store/database/database.ts'
import { reportValues } from './report-values.ts'
import type { ReportWrite } from './store-report.ts'
import { type CompletedLease, leaseClauses, leaseValues } from './complete-lease.ts'

/** A heap-only update: no indexed column is named. */
const TOUCH = `
    update adapter_statuses set
      observed_generation = $3::integer,
      conditions = $4::json,
      available = $5::json,
      available_generation = ($5::json ->> 'observed_generation')::integer,
      data = $6::json,
      metadata = $7::json,
      created_time = $8::timestamptz,
      last_report_time = $9::timestamptz,
      observed_time = $10::timestamptz,
      finalized = $11::boolean,
      condition_type = $12::text,
      revision = revision + 1
    where resource_id = $1::text and adapter = $2::text and revision = $13::integer`

const TOUCH_REPORT = { name: 'touch_report', text: `${TOUCH} returning revision` }

const LEASE = leaseClauses(14)

const TOUCH_LEASED_REPORT = {
  name: 'touch_leased_report',
  text: `
    with ${LEASE.held}stored as (${TOUCH} ${LEASE.condition}
      returning revision
    )${LEASE.completed}
    select exists (select 1 from stored) as written from held_lease`,
}

interface TouchedReport extends Pick<ReportWrite, 'status' | 'rowVersion'> {
  readonly resource: Pick<ReportWrite['resource'], 'id'>
}

/**
 * Replaces an adapter's report without writing its resource, whose conditions do not change. False
 * if the report's row changed since it was read.
 */
export async function touchReport(
  database: Database,
  { resource, status, rowVersion }: TouchedReport,
): Promise<boolean> {
  const values = [...reportValues(resource.id, status), rowVersion]
  const rows = await database.execute<{ revision: number }>(TOUCH_REPORT, values)
  return rows.length === 1
}

/** Replaces a report and completes its lease. Null if the lease has ended. */
export async function touchLeasedReport(
  database: Database,
  { resource, status, rowVersion }: TouchedReport,
  lease: CompletedLease,
): Promise<boolean | null> {
  const values = [...reportValues(resource.id, status), rowVersion, ...leaseValues(lease)]
  const [row] = await database.execute<{ written: boolean }>(TOUCH_LEASED_REPORT, values)
  return row?.written ?? null
}
