import type { AdapterStatus } from '../generated/hyperfleet.ts'
import type { AnyResource } from '../resources/any-resource.ts'
import { conditionType } from './condition-type.ts'

/**
 * The state of a required adapter:
 * - `satisfied`: it reports True at the generation of the resource.
 * - `missing`: it has not reported.
 * - `unknown`: it has reported, but Available neither True nor False.
 * - `behind`: its last Available is at an older generation.
 * - `ahead`: its last Available is at a generation that the resource has not reached.
 * - `false`: it reports False at the generation of the resource.
 * - `unfinalized`: the resource is being deleted, and the adapter has not reported Finalized True.
 */
export type RequirementState =
  | 'satisfied'
  | 'missing'
  | 'unknown'
  | 'behind'
  | 'ahead'
  | 'false'
  | 'unfinalized'

/** A required adapter and whether it keeps the resource from being ready. */
export interface ReadinessRequirement {
  readonly adapter: string
  readonly state: RequirementState
  /** The generation of its last Available of True or False; null if it has reported none. */
  readonly observedGeneration: number | null
  /** Since when the adapter has been in this state, as far as the server records it. */
  readonly since: string | null
  readonly reason: string | null
  readonly message: string | null
}

/** The fields of a resource that readiness depends on. */
export interface ReadinessResource extends AnyResource {
  readonly kind: string
  readonly name: string
  readonly created_time: string
  readonly updated_time: string
}

interface Input {
  readonly resource: ReadinessResource
  readonly report: AdapterStatus | null
  readonly adapter: string
  /** Whether another required adapter shares the condition of this one. */
  readonly isAmbiguous: boolean
}

interface Available {
  readonly isTrue: boolean
  readonly generation: number
  readonly since: string
  readonly reason: string | null
  readonly message: string | null
}

/** The state of one required adapter. */
export function readinessRequirement(input: Input): ReadinessRequirement {
  const { resource, report, adapter } = input
  const available = input.isAmbiguous ? availableOf(report) : exposedAvailable(input)
  if (available === null) {
    const state = report === null ? 'missing' : 'unknown'
    const since = report === null ? resource.created_time : report.created_time
    return { adapter, state, observedGeneration: null, since, ...wordingOf(report) }
  }
  const { generation, reason, message } = available
  const known = { adapter, observedGeneration: generation, reason, message }
  if (generation < resource.generation) {
    return { ...known, state: 'behind', since: resource.deleted_time ?? resource.updated_time }
  }
  if (generation > resource.generation) return { ...known, state: 'ahead', since: available.since }
  if (!available.isTrue) return { ...known, state: 'false', since: available.since }
  if (resource.deleted_time !== undefined && !isFinalized(report, resource.generation)) {
    return { ...known, state: 'unfinalized', since: resource.deleted_time }
  }
  return { ...known, state: 'satisfied', since: available.since }
}

/**
 * The last Available of True or False, which the resource exposes as a condition. The report itself
 * may lack it: a later report without Available leaves the earlier one in effect.
 */
function exposedAvailable({ resource, report, adapter }: Input): Available | null {
  const type = conditionType(adapter)
  const found = resource.status.conditions.find((condition) => condition.type === type)
  if (found === undefined) return availableOf(report)
  return {
    isTrue: found.status === 'True',
    generation: found.observed_generation,
    since: found.last_transition_time,
    reason: found.reason ?? null,
    message: found.message ?? null,
  }
}

function availableOf(report: AdapterStatus | null): Available | null {
  const found = report?.conditions.find(({ type }) => type === 'Available')
  if (!report || !found || found.status === 'Unknown') return null
  return {
    isTrue: found.status === 'True',
    generation: report.observed_generation,
    since: found.last_transition_time,
    reason: found.reason ?? null,
    message: found.message ?? null,
  }
}

function isFinalized(report: AdapterStatus | null, generation: number): boolean {
  if (report?.observed_generation !== generation) return false
  return report.conditions.some(({ type, status }) => type === 'Finalized' && status === 'True')
}

function wordingOf(report: AdapterStatus | null): Pick<ReadinessRequirement, 'reason' | 'message'> {
  const found = report?.conditions.find(({ type }) => type === 'Available')
  return { reason: found?.reason ?? null, message: found?.message ?? null }
}
