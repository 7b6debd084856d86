import type { ReadinessRequirement, ResourceChange } from '../../../../typescript/src/index.ts'
import { oldestObserved } from '../adapters/adapter-row.ts'
import type { KindResource } from '../data/kind-resource.ts'
import { specOfGeneration } from './spec-of-generation.ts'

/** The spec that the slowest required adapter has seen. */
export interface ObservedSpec {
  readonly generation: number
  /** The adapters that have not seen a newer generation. */
  readonly adapters: readonly string[]
  /** Null if the recorded changes do not reach back to the generation. */
  readonly spec: Readonly<Record<string, unknown>> | null
}

/** The spec of the oldest observed generation; null if all adapters have seen the current one. */
export function observedSpec(
  resource: KindResource,
  requirements: readonly ReadinessRequirement[],
  changes: readonly ResourceChange[],
): ObservedSpec | null {
  const generation = oldestObserved(requirements, resource.generation)
  if (generation === null) return null
  const adapters = requirements
    .filter(({ observedGeneration }) => observedGeneration === generation)
    .map(({ adapter }) => adapter)
  return { generation, adapters, spec: specOfGeneration(resource, generation, changes) }
}
