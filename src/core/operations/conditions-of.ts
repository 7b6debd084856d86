import type { ResourceCondition } from '../model/condition.ts'
import type { AdapterState } from '../model/report.ts'
import type { ReportedResource } from '../model/resource.ts'
import type { Registry } from '../registry/registry.ts'
import { type Synthesis, synthesize } from '../../statuses/conditions/synthesize.ts'

/** What a recomputation follows, and what it goes by. */
interface Occasion extends Pick<Synthesis, 'variables' | 'cause' | 'now'> {
  readonly reports: readonly AdapterState[]
}

/**
 * The conditions of a resource anew: it has its generation and deletion as they are to be, and its
 * conditions as they were.
 */
export function conditionsOf(
  registry: Registry,
  resource: ReportedResource,
  occasion: Occasion,
): readonly ResourceCondition[] {
  const kind = registry.byName(resource.kind)
  return synthesize({
    kind,
    required: kind.requiredAdapters,
    generation: resource.generation,
    deleting: resource.deletedTime !== null,
    previous: resource.conditions,
    ...occasion,
  })
}
