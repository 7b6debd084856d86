import { must } from '../../../../lib/assert.ts'
import type { Variables } from '../../../../lib/cel/compile-expression.ts'
import type { AggregatedType, ResourceCondition } from '../../../../store/model/condition.ts'
import type { StatusSummary } from '../../../../store/model/status-record.ts'
import type { RegisteredKind } from '../../../../store/registry/kind.ts'
import { adapterConditions } from './adapter-conditions.ts'
import { availableCondition } from './available-condition.ts'
import { type Cause, readyCondition, reconciledCondition } from './current-conditions.ts'
import { lastKnownReconciledCondition } from './last-known-reconciled-condition.ts'
import { mappedConditions } from '../mapping/mapped-conditions.ts'
import { reflectTimes } from '../reflect-times.ts'
import { reportTimeOf } from '../../../../store/model/status-record.ts'
import { requirementsOf } from './requirement.ts'
import { satisfiedConditions } from './satisfied-conditions.ts'

export interface Synthesis {
  readonly kind: Pick<RegisteredKind, 'messages' | 'mapping'>
  readonly required: readonly string[]
  /** Whether the resource declares the required adapters itself, in place of its kind. */
  readonly isDeclared?: boolean
  /** The resource's generation, after the spec change if that is the cause. */
  readonly generation: number
  /** Whether the resource is being deleted. */
  readonly deleting: boolean
  /** The resource's conditions as stored. */
  readonly previous: readonly ResourceCondition[]
  /** All reports on the resource, including the one that is being stored. */
  readonly reports: readonly StatusSummary[]
  /** The variables of the kind's mapping; null or absent keeps the mapped conditions. */
  readonly variables?: Variables | null
  readonly cause: Cause
  readonly now: Date
}

/**
 * Computes the conditions of a resource after a stored report or a new generation: the aggregated
 * ones of both families, then `<Adapter>Successful` sorted by type, then the mapped conditions.
 */
export function synthesize(input: Synthesis): readonly ResourceCondition[] {
  const {
    kind,
    required,
    isDeclared = false,
    generation,
    deleting,
    previous,
    reports,
    variables = null,
    cause,
    now,
  } = input
  const requirements = requirementsOf(required, reports, generation)
  const of = (type: AggregatedType) => ({
    requirements,
    generation,
    previous: find(previous, type),
    cause,
    now,
  })
  const isSatisfied = isDeclared && required.length === 0
  const aggregated = isSatisfied
    ? satisfiedConditions(previous, generation, now)
    : [
        availableCondition({ ...of('Available'), message: kind.messages.available }),
        readyCondition({ ...of('Ready'), message: kind.messages.ready }),
        reconciledCondition({ ...of('Reconciled'), deleting }),
        lastKnownReconciledCondition(of('LastKnownReconciled')),
      ]
  const conditions = [
    ...aggregated,
    ...adapterConditions(required, reports),
    ...mappedConditions({ rules: kind.mapping ?? [], variables, generation, previous, now }),
  ]
  return reflectTimes({ conditions, generation }, required, reports.map(reportTimeOf))
}

function find(conditions: readonly ResourceCondition[], type: AggregatedType): ResourceCondition {
  return must(
    conditions.find((condition) => condition.type === type),
    `condition ${type}`,
  )
}
