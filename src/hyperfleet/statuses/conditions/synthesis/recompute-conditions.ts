import type { ResourceCondition } from '../../../../store/model/condition.ts'
import type { ReportedResource } from '../../../../store/model/resource.ts'
import type { StatusSummary } from '../../../../store/model/status-record.ts'
import type { RegisteredKind } from '../../../../store/registry/kind.ts'
import { requirementsOfResource } from '../required-adapters.ts'
import { type Synthesis, synthesize } from './synthesize.ts'

interface Recomputation extends Pick<Synthesis, 'variables' | 'cause' | 'now'> {
  readonly records: readonly StatusSummary[]
}

/**
 * Recomputes the conditions of a resource that already has its new generation and deletion time,
 * but still its previous conditions.
 */
export function recomputeConditions(
  kind: RegisteredKind,
  resource: Pick<
    ReportedResource,
    'generation' | 'deletedTime' | 'conditions' | 'requiredAdapters'
  >,
  { records, ...recomputation }: Recomputation,
): readonly ResourceCondition[] {
  const { adapters, isDeclared } = requirementsOfResource(kind, resource, records)
  return synthesize({
    kind,
    required: adapters,
    isDeclared,
    generation: resource.generation,
    deleting: resource.deletedTime !== null,
    previous: resource.conditions,
    reports: records,
    ...recomputation,
  })
}
