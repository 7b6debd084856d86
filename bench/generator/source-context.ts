import { clusterId } from '../data/cluster.ts'
import type { Dataset } from '../data/dataset.ts'
import { nodePoolId } from '../data/node-pool.ts'

/** The inputs of a request source. */
export interface SourceContext {
  readonly dataset: Dataset
  readonly random: () => number
  /** Prefix for the names of resources that the source creates. */
  readonly tag: string
}

export function anyOf({ random }: SourceContext, values: readonly string[]): string {
  return values[Math.floor(random() * values.length)] ?? ''
}

export function anyCluster({ random, dataset }: SourceContext): { id: string; number: number } {
  const number = 1 + Math.floor(random() * dataset.rows)
  return { id: clusterId(number), number }
}

export function anyNodePool({ random, dataset }: SourceContext): string {
  const index = Math.floor(random() * dataset.nodePoolsPerCluster)
  return nodePoolId(1 + Math.floor(random() * dataset.rows), index)
}
