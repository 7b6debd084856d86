import { clusterId } from '../data/cluster.ts'
import type { Dataset } from '../data/dataset.ts'
import { nodePoolId } from '../data/node-pool.ts'
import type { Ids } from './messages.ts'

/** The inputs of a request source. */
export interface SourceContext {
  readonly dataset: Dataset
  /** Null if ids are derived from numbers. */
  readonly ids: Ids | null
  readonly random: () => number
  /** Prefix for the names of resources that the source creates. */
  readonly tag: string
}

export function idOf({ ids }: SourceContext, number: number): string {
  return ids === null ? clusterId(number) : (ids.clusters[number - 1] ?? '')
}

export function anyOf({ random }: SourceContext, values: readonly string[]): string {
  return values[Math.floor(random() * values.length)] ?? ''
}

export function anyCluster(context: SourceContext): { id: string; number: number } {
  const number = 1 + Math.floor(context.random() * context.dataset.rows)
  return { id: idOf(context, number), number }
}

export function anyNodePool(context: SourceContext): string {
  const { ids, random, dataset } = context
  if (ids !== null) return anyOf(context, ids.nodePools)
  const index = Math.floor(random() * dataset.nodePoolsPerCluster)
  return nodePoolId(1 + Math.floor(random() * dataset.rows), index)
}
