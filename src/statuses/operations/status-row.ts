import type { AdapterStatus } from '../../core/model/report.ts'
import type { SearchRow } from '../../core/search/memory/search-row.ts'

/** An adapter's report as searches see it. */
export function statusRow(
  status: Pick<AdapterStatus, 'adapter' | 'observedGeneration'>,
): SearchRow {
  return {
    scalar: (column) => (column === 'adapter' ? status.adapter : status.observedGeneration),
    labels: {},
    conditions: new Map(),
    spec: {},
  }
}
