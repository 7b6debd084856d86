export type ConditionStatus = 'True' | 'False' | 'Unknown'

/**
 * A condition of a resource, stored in the form of the wire. `last_updated_time` dates from the
 * resource's last change; reads overlay the exact report times.
 */
export interface ResourceCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason?: string
  readonly message?: string
  readonly observed_generation: number
  readonly created_time: string
  readonly last_updated_time: string
  readonly last_transition_time: string
}

/** The conditions of a new resource, in stored order. */
export const AGGREGATED_TYPES = ['Available', 'Ready', 'Reconciled', 'LastKnownReconciled'] as const

/** The conditions that depend on the resource's current generation. */
export const CURRENT_TYPES = ['Ready', 'Reconciled'] as const satisfies readonly AggregatedType[]

/** A condition that aggregates the reports of all required adapters. */
export type AggregatedType = (typeof AGGREGATED_TYPES)[number]
