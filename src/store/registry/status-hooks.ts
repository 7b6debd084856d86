import type { ResourceCondition } from '../model/condition.ts'
import type { Resource } from '../model/resource.ts'
import type { ReportTime, StatusRecord, StatusSummary } from '../model/status-record.ts'

/** A write of a resource that its conditions follow. */
export type ResourceWrite =
  | { readonly type: 'create'; readonly requiredAdapters: Resource['requiredAdapters'] }
  /** The resource has its new generation and still its previous conditions. */
  | {
      readonly type: 'change'
      readonly resource: Resource
      readonly records: readonly StatusRecord[]
    }
  /** As for a change, and without a new generation for a declaration. Records have no bodies. */
  | {
      readonly type: 'delete' | 'declaration'
      readonly resource: Resource
      readonly records: readonly StatusSummary[]
    }

/** The fields that decide which adapters a resource requires. */
type Requiring = 'requiredAdapters' | 'deletedTime'

/**
 * Turns status records into the conditions of a kind's resources. All hooks are pure. A kind
 * without hooks has no conditions, and nothing delays the removal of its deleted resources.
 */
export interface StatusHooks {
  /** The conditions to store with a write. */
  conditionsAfter(write: ResourceWrite, now: Date): readonly ResourceCondition[]
  /** The stored conditions with the exact times of the records, as reads show them. */
  withReportTimes(
    resource: Pick<Resource, 'generation' | 'conditions' | Requiring>,
    times: readonly ReportTime[],
  ): readonly ResourceCondition[]
  /** Whether the records allow the removal of a deleted resource. */
  isFinalized(
    resource: Pick<Resource, 'generation' | Requiring>,
    records: readonly StatusSummary[],
  ): boolean
  /** The types of the conditions that expose the required adapters. */
  readonly adapterTypes: readonly string[]
  /**
   * The required adapters that, by the conditions, are not True at this generation. A deleted
   * resource with a declaration also requires all adapters that have reported: of these, the result
   * contains the adapters of the kind, because conditions do not name the others.
   */
  unmetAdapters(
    resource: Pick<Resource, 'generation' | 'conditions' | 'requiredAdapters'> & {
      readonly isDeleting: boolean
    },
  ): readonly string[]
}
