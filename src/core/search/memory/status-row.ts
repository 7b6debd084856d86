import type { StatusRecord } from '../../model/status-record.ts'
import type { SearchRow } from './search-row.ts'

/** An adapter's report as searches see it. */
export function statusRow(status: Pick<StatusRecord, 'adapter' | 'observedGeneration'>): SearchRow {
  return {
    scalar: (column) => (column === 'adapter' ? status.adapter : status.observedGeneration),
    labels: {},
    conditions: new Map(),
    spec: {},
  }
}
