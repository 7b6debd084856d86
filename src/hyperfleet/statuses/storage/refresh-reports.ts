import type { JsonObject } from '../../../lib/json/json.ts'
import type { StoredCondition } from '../../../store/model/status-record.ts'
import type { Database } from '../../../store/database/database.ts'
import { rowKey } from '../../../store/resources/row-key.ts'
import { wording } from '../conditions/wording.ts'
import type { ReportedCondition } from '../model/report.ts'

/**
 * Refreshes reports that differ from the stored ones only in data, metadata and times, if the
 * resource is still at the given version. Equal conditions are equal text: this server writes them,
 * and an unescaped `,"` is never inside a JSON string. Heap-only updates: no indexed column is
 * named. Skips rows locked by other transactions (`skip locked`).
 */
const REFRESH_REPORTS = {
  name: 'refresh_reports',
  text: `
    with report as (
      select * from json_to_recordset($1::json) as report (
        resource_id text, adapter text, version bigint, observed_generation integer,
        conditions text, data json, metadata json, last_report_time timestamptz,
        observed_time timestamptz, is_ordered boolean)
    ), held as materialized (
      select resource_id, adapter from adapter_statuses as stored
        join report using (resource_id, adapter)
        join resources on resources.id = resource_id and resources.version = report.version
      where stored.observed_generation = report.observed_generation
        and regexp_replace(stored.conditions::text, ',"last_transition_time":"[^"]*"', '', 'g')
          = report.conditions
        and (not is_ordered or stored.observed_time <= report.observed_time)
      order by resource_id, adapter for update of stored skip locked
    )
    update adapter_statuses as stored set
      data = report.data,
      metadata = report.metadata,
      last_report_time = report.last_report_time,
      observed_time = report.observed_time,
      revision = stored.revision + 1
    from report join held using (resource_id, adapter)
    where stored.resource_id = report.resource_id and stored.adapter = report.adapter
    returning stored.resource_id, stored.adapter, stored.conditions, stored.created_time`,
}

/** A report that may be equal to the stored one. */
export interface UnchangedReport {
  readonly resourceId: string
  readonly adapter: string
  /** The resource's version at which an equal report leaves the conditions unchanged. */
  readonly version: bigint
  readonly observedGeneration: number
  readonly conditions: readonly ReportedCondition[]
  readonly data: JsonObject
  readonly metadata: JsonObject | null
  readonly lastReportTime: Date
  readonly observedTime: Date
  /** Whether a report older than the stored one must not be stored. */
  readonly isOrdered: boolean
}

/** The part of a refreshed row that the report does not contain. */
export interface RefreshedRow {
  readonly conditions: readonly StoredCondition[]
  readonly createdTime: Date
}

interface Row {
  readonly resource_id: string
  readonly adapter: string
  readonly conditions: readonly StoredCondition[]
  readonly created_time: Date
}

/** Stores the reports that are equal to their rows, at most one per row; by the key of the row. */
export async function refreshReports(
  database: Database,
  reports: readonly UnchangedReport[],
): Promise<ReadonlyMap<string, RefreshedRow>> {
  const rows = await database.execute<Row>(REFRESH_REPORTS, [JSON.stringify(reports.map(recordOf))])
  return new Map(
    rows.map(({ resource_id, adapter, conditions, created_time: createdTime }) => [
      rowKey(resource_id, adapter),
      { conditions, createdTime },
    ]),
  )
}

function recordOf(report: UnchangedReport): object {
  return {
    resource_id: report.resourceId,
    adapter: report.adapter,
    version: String(report.version),
    observed_generation: report.observedGeneration,
    conditions: JSON.stringify(report.conditions.map(contentOf)),
    data: report.data,
    metadata: report.metadata,
    last_report_time: report.lastReportTime,
    observed_time: report.observedTime,
    is_ordered: report.isOrdered,
  }
}

/** A stored condition without its transition time, with its fields in stored order. */
function contentOf(condition: ReportedCondition): ReportedCondition {
  const { type, status } = condition
  return { type, status, ...wording(condition) }
}
