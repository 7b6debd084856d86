import type { AggregatedType, ResourceCondition } from '../../core/model/condition.ts'

/** Which generation of HyperFleet clients the aggregated conditions are shown to. */
export type ConditionFamily = 'v0.1' | 'latest' | 'both'

/** What a family does not show of the conditions that are stored. */
const HIDDEN: Readonly<Record<ConditionFamily, readonly AggregatedType[]>> = {
  'v0.1': ['Reconciled', 'LastKnownReconciled'],
  latest: ['Available', 'Ready'],
  both: [],
}

/** The conditions that a family shows, in the order of storage; those of adapters always. */
export function conditionsOfFamily(
  conditions: readonly ResourceCondition[],
  family: ConditionFamily,
): readonly ResourceCondition[] {
  const hidden: ReadonlySet<string> = new Set(HIDDEN[family])
  return conditions.filter(({ type }) => !hidden.has(type))
}
