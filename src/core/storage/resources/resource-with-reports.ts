import type { AdapterState } from '../../model/report.ts'
import type { Resource } from '../../model/resource.ts'
import {
  type AdapterStateColumn,
  adapterStateOf,
} from '../../../statuses/storage/adapter-state-column.ts'
import { resourceOf, type ResourceRow } from './resource-row.ts'

/** A resource and the state of all its adapters: what the rule of conditions decides by. */
export interface ResourceWithReports {
  readonly resource: Resource
  readonly states: readonly AdapterState[]
}

export type ResourceWithReportsRow = ResourceRow & {
  readonly states: readonly AdapterStateColumn[] | null
}

/** A row as the standing it holds. */
export function resourceWithReportsOf(row: ResourceWithReportsRow): ResourceWithReports {
  return { resource: resourceOf(row), states: (row.states ?? []).map(adapterStateOf) }
}
