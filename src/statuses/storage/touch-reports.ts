import type { StatusRecord } from '../../core/model/status-record.ts'
import type { Database } from '../../core/storage/database/database.ts'
import { rowKey } from '../../core/storage/resources/row-key.ts'

/**
 * Heap-only updates: no indexed column is named. Waits for nobody: what another transaction has
 * locked is not written.
 */
const TOUCH_REPORTS = {
  name: 'touch_reports',
  text: `
    with report as (
      select * from json_to_recordset($1::json) as report (
        resource_id text, adapter text, version bigint, revision integer, next_revision integer,
        data json, metadata json, last_report_time timestamptz, observed_time timestamptz)
    ), held as materialized (
      select resource_id, adapter from adapter_statuses
        join report using (resource_id, adapter)
        join resources on resources.id = resource_id and resources.version = report.version
      where adapter_statuses.revision = report.revision
      order by resource_id, adapter for update of adapter_statuses skip locked
    )
    update adapter_statuses as stored set
      data = report.data,
      metadata = report.metadata,
      last_report_time = report.last_report_time,
      observed_time = report.observed_time,
      revision = report.next_revision
    from report join held using (resource_id, adapter)
    where stored.resource_id = report.resource_id and stored.adapter = report.adapter
      and stored.revision = report.revision
    returning stored.resource_id, stored.adapter`,
}

/** A report that says what its adapter's row says. */
export interface RepeatedReport {
  readonly resourceId: string
  /** The resource's version for which that was found. */
  readonly version: bigint
  readonly status: StatusRecord
  /** The row's revision for which it was found. */
  readonly revision: number
  /** How many reports came to this row. */
  readonly count: number
}

/**
 * Writes reports that repeat their rows, where resource and row are as they are said to be: in one
 * statement, without reading anything before. Returns the keys of the rows that were written.
 */
export async function touchReports(
  database: Database,
  reports: readonly RepeatedReport[],
): Promise<ReadonlySet<string>> {
  const records = JSON.stringify(reports.map(recordOf))
  const written = await database.execute<{ resource_id: string; adapter: string }>(TOUCH_REPORTS, [
    records,
  ])
  return new Set(written.map(({ resource_id, adapter }) => rowKey(resource_id, adapter)))
}

function recordOf({ resourceId, version, status, revision, count }: RepeatedReport): object {
  return {
    resource_id: resourceId,
    adapter: status.adapter,
    version: String(version),
    revision,
    next_revision: revision + count,
    data: status.data,
    metadata: status.metadata,
    last_report_time: status.lastReportTime,
    observed_time: status.observedTime,
  }
}
