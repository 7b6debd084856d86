import type { StatusRecord } from '../../model/status-record.ts'
import type { SearchRow } from './search-row.ts'

/** The searchable values of an adapter's report. */
export function statusRow(status: Pick<StatusRecord, 'adapter' | 'observedGeneration'>): SearchRow {
  return {
    scalar: (column) => (column === 'adapter' ? status.adapter : status.observedGeneration),
    labels: {},
    conditions: new Map(),
    spec: {},
  }
}
