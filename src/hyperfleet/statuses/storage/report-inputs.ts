import type { ResourceCondition } from '../../../store/model/condition.ts'
import type { ReportedResource } from '../../../store/model/resource.ts'
import type { StatusSummary, StoredCondition } from '../../../store/model/status-record.ts'
import {
  STATUS_SUMMARY_FIELDS,
  type StatusSummaryColumn,
  statusSummaryOf,
} from '../../../store/status-records/summary-column.ts'

/** An adapter's stored report. `conditions` is empty unless the adapter is one of those reporting. */
export interface StoredReport extends StatusSummary {
  readonly rowVersion: number
  readonly conditions: readonly StoredCondition[]
}

/** A resource with all reports on it: the state that a new report is decided on. */
export interface ReportInputs {
  readonly resource: ReportedResource
  /** When a client last changed the resource, or created it. */
  readonly updatedTime: Date
  readonly states: readonly StoredReport[]
}

interface StoredReportColumn extends StatusSummaryColumn {
  readonly revision: number
  /** Null if they were not selected. */
  readonly conditions: readonly StoredCondition[] | null
}

export interface ReportInputsRow {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly owner_id: string
  readonly generation: number
  readonly version: bigint
  readonly conditions: readonly ResourceCondition[]
  readonly required_adapters: readonly string[] | null
  readonly deleted_time: Date | null
  readonly updated_time: Date
  readonly states: readonly StoredReportColumn[] | null
}

/**
 * The select list of a ReportInputsRow, for a query over `resources`. `reporting` is a condition on
 * the column `adapter`: only the matching reports are selected with their conditions.
 */
export function inputColumns(reporting: string): string {
  return `id, tenant, kind, owner_id, generation, version, conditions, required_adapters,
      deleted_time, updated_time, (
      select json_agg(json_build_object(${STATUS_SUMMARY_FIELDS},
        'revision', revision,
        'conditions', case when ${reporting} then conditions end))
      from adapter_statuses where resource_id = resources.id
    ) as states`
}

export function inputsOf(row: ReportInputsRow): ReportInputs {
  const { id, tenant, kind, owner_id: ownerId, generation, version, conditions } = row
  const { required_adapters: requiredAdapters, deleted_time: deletedTime } = row
  const identity = { id, tenant, kind, ownerId }
  return {
    resource: { ...identity, generation, version, conditions, requiredAdapters, deletedTime },
    updatedTime: row.updated_time,
    states: (row.states ?? []).map(storedReportOf),
  }
}

function storedReportOf(state: StoredReportColumn): StoredReport {
  const { revision: rowVersion, conditions } = state
  return Object.assign(statusSummaryOf(state), { rowVersion, conditions: conditions ?? [] })
}
