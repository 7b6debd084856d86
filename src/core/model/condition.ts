export type ConditionStatus = 'True' | 'False' | 'Unknown'

/**
 * A condition of a resource, in the shape of the wire, which is also how it is stored.
 * `last_updated_time` is as of the resource's last change; reads overlay the exact report times.
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

/** The conditions that a resource has from its creation, in the order in which they are stored. */
export const AGGREGATED_TYPES = ['Available', 'Ready', 'Reconciled', 'LastKnownReconciled'] as const

/** Those of them that are about the resource's own generation. */
export const CURRENT_TYPES = ['Ready', 'Reconciled'] as const satisfies readonly AggregatedType[]

/** A condition that sums up the reports of all required adapters. */
export type AggregatedType = (typeof AGGREGATED_TYPES)[number]
