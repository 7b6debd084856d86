import type { StatusSummary } from '../model/status-record.ts'
import type { Resource } from '../model/resource.ts'
import { type StatusSummaryColumn, statusSummaryOf } from '../status-records/summary-column.ts'
import { resourceOf, type ResourceRow } from './resource-row.ts'

/** A resource and the state of all its adapters: the input of the rules of conditions. */
export interface ResourceWithReports {
  readonly resource: Resource
  readonly states: readonly StatusSummary[]
}

export type ResourceWithReportsRow = ResourceRow & {
  readonly states: readonly StatusSummaryColumn[] | null
}

/** Converts a row to the model. */
export function resourceWithReportsOf(row: ResourceWithReportsRow): ResourceWithReports {
  return { resource: resourceOf(row), states: (row.states ?? []).map(statusSummaryOf) }
}
