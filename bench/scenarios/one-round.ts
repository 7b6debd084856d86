import { CLUSTER_ADAPTERS } from '../data/cluster-state.ts'
import type { Dataset } from '../data/dataset.ts'

/** How many reports it takes until every adapter has reported on every cluster. */
export function requestsOfOneRound({ rows }: Dataset): number {
  return rows * CLUSTER_ADAPTERS.length
}
