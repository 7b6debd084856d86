import type { StatusRecord } from '../../core/model/status-record.ts'
import type { Database } from '../../core/storage/database/database.ts'
import { reportValues } from './report-values.ts'

/** A heap-only update: no indexed column is named. */
const TOUCH_REPORT = {
  name: 'touch_report',
  text: `
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
    where resource_id = $1::text and adapter = $2::text and revision = $13::integer
    returning revision`,
}

/**
 * Replaces an adapter's report without writing its resource, whose conditions do not change. False
 * if the report's row changed since it was read.
 */
export async function touchReport(
  database: Database,
  resourceId: string,
  status: StatusRecord,
  rowVersion: number,
): Promise<boolean> {
  const values = [...reportValues(resourceId, status), rowVersion]
  const rows = await database.execute<{ revision: number }>(TOUCH_REPORT, values)
  return rows.length === 1
}
