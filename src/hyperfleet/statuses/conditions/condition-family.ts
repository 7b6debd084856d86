import type { AggregatedType, ResourceCondition } from '../../../store/model/condition.ts'

/** The generations of HyperFleet clients that a server can show conditions to. */
export const CONDITION_FAMILIES = ['v0.1', 'latest', 'both'] as const

export type ConditionFamily = (typeof CONDITION_FAMILIES)[number]

/** The stored conditions that each family hides. */
const HIDDEN: Readonly<Record<ConditionFamily, readonly AggregatedType[]>> = {
  'v0.1': ['Reconciled', 'LastKnownReconciled'],
  latest: ['Available', 'Ready'],
  both: [],
}

/** The conditions that a family shows, in stored order. It always shows those of adapters. */
export function conditionsOfFamily(
  conditions: readonly ResourceCondition[],
  family: ConditionFamily,
): readonly ResourceCondition[] {
  return conditions.filter(({ type }) => isInFamily(type, family))
}

/** Whether a family shows the conditions of a type. */
export function isInFamily(type: string, family: ConditionFamily): boolean {
  return !HIDDEN[family].some((hidden) => hidden === type)
}
