import type { JsonObject } from '../../lib/json/json.ts'
import type { StatusRecord, StoredCondition } from '../model/status-record.ts'
import {
  STATUS_SUMMARY_FIELDS,
  type StatusSummaryColumn,
  statusSummaryOf,
} from './summary-column.ts'

/** A report and its row version, which orders its changes. */
export interface VersionedStatus {
  readonly status: StatusRecord
  readonly rowVersion: bigint
}

/** One adapter's complete report in the column STATUS_RECORDS. */
export interface StatusRecordColumn extends StatusSummaryColumn {
  readonly revision: number
  readonly conditions: readonly StoredCondition[]
  readonly data: JsonObject
  readonly metadata: JsonObject | null
}

/** A sub-select for a query over `resources`: all reports as a JSON array, by adapter, or null. */
export const STATUS_RECORDS = `(
  select json_agg(json_build_object(${STATUS_SUMMARY_FIELDS},
    'revision', revision, 'conditions', conditions, 'data', data, 'metadata', metadata)
    order by adapter)
  from adapter_statuses where resource_id = resources.id
)`

/** Converts an element of the column to the model. */
export function versionedStatusOf(column: StatusRecordColumn): VersionedStatus {
  const { revision, conditions, data, metadata } = column
  return {
    status: { ...statusSummaryOf(column), conditions, data, metadata },
    rowVersion: BigInt(revision),
  }
}
