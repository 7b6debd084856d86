import { CLUSTER_ADAPTERS } from '../data/cluster-state.ts'
import type { Dataset } from '../data/dataset.ts'
import { ENOUGH_REQUESTS } from './sides.ts'

/** A warm-up in which every adapter reports on every cluster once, as in the first interval of a fleet. */
export function secondsOfOneRound({ rows }: Dataset): number {
  return (rows * CLUSTER_ADAPTERS.length) / ENOUGH_REQUESTS
}
