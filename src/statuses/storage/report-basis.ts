import type { ResourceCondition } from '../../core/model/condition.ts'
import type { StatusSummary, StoredCondition } from '../../core/model/status-record.ts'
import type { ReportedResource } from '../../core/model/resource.ts'
import {
  STATUS_SUMMARY_FIELDS,
  type StatusSummaryColumn,
  statusSummaryOf,
} from '../../core/storage/status-records/summary-column.ts'

/** An adapter's row; its conditions only where it is one of those that report. */
export interface StoredReport extends StatusSummary {
  readonly revision: number
  readonly conditions: readonly StoredCondition[]
}

/** What reports on a resource are judged by. */
export interface ReportBasis<Conditions = readonly ResourceCondition[]> {
  readonly resource: Omit<ReportedResource, 'conditions'> & { readonly conditions: Conditions }
  readonly states: readonly StoredReport[]
}

/**
 * A basis that may lack what heartbeats are not told by: conditions (null), and the states of
 * adapters that do not report.
 */
export type PartialBasis = ReportBasis<readonly ResourceCondition[] | null>

export function isWhole(basis: PartialBasis): basis is ReportBasis {
  return basis.resource.conditions !== null
}

interface StateColumn extends StatusSummaryColumn {
  readonly revision: number
  readonly conditions: readonly StoredCondition[] | null
}

/** `Conditions` is null where they were left out. */
export interface BasisRow<Conditions = readonly ResourceCondition[]> {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly owner_id: string
  readonly generation: number
  readonly version: bigint
  readonly conditions: Conditions
  readonly deleted_time: Date | null
  readonly states: readonly StateColumn[] | null
}

/** The select list that fills a BasisRow; `reporting` is a condition on the column `adapter`. */
export function basisColumns(reporting: string): string {
  return `id, tenant, kind, owner_id, generation, version, conditions, deleted_time,
    ${stateColumns(reporting)} as states`
}

/** A sub-select for a query over `resources`; `extent` is a further condition on the rows. */
export function stateColumns(reporting: string, extent = 'true'): string {
  return `(
      select json_agg(json_build_object(${STATUS_SUMMARY_FIELDS},
        'revision', revision,
        'conditions', case when ${reporting} then conditions end))
      from adapter_statuses where resource_id = resources.id and ${extent}
    )`
}

/** A row as the basis it holds. */
export function basisOf<Conditions>(row: BasisRow<Conditions>): ReportBasis<Conditions> {
  const { id, tenant, kind, owner_id: ownerId, generation, version, conditions } = row
  const deletedTime = row.deleted_time
  return {
    resource: { id, tenant, kind, ownerId, generation, version, conditions, deletedTime },
    states: (row.states ?? []).map(stateOf),
  }
}

function stateOf(state: StateColumn): StoredReport {
  const { revision, conditions } = state
  return Object.assign(statusSummaryOf(state), { revision, conditions: conditions ?? [] })
}
