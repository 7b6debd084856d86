import type { Comparison } from '../members/fleet-members.ts'
import type { MemberPolicy, ObservedFleet } from './observed-fleet.ts'
import { selectReplacements } from './select-replacements.ts'

/** One batch of each kind of change, which brings the members closer to the fleet's spec. */
export interface Step {
  /** Claims have ended: their members must be marked for a reset. */
  readonly expire: boolean
  /** IDs of surplus members. */
  readonly remove: readonly string[]
  readonly policy: MemberPolicy
  /** IDs of outdated members, which are deleted and then missing. */
  readonly replace: readonly string[]
  /** Names of missing members. */
  readonly create: readonly string[]
  /** IDs of released members. */
  readonly reset: readonly string[]
  /** IDs of members that must declare the adapters that the fleet requires. */
  readonly declare: readonly string[]
}

type Decided = Pick<
  ObservedFleet,
  'isDeleting' | 'isPaused' | 'scaleDownPolicy' | 'deletionPolicy' | 'updateStrategy'
>

/** Nothing to change. */
export const NO_CHANGE = {
  expire: false,
  remove: [],
  replace: [],
  create: [],
  reset: [],
  declare: [],
} as const

/** The next changes of a fleet's members; null if nothing is left to do. */
export function decideStep(fleet: Decided, comparison: Comparison): Step | null {
  const step = stepOf(fleet, comparison)
  return isEmpty(step) ? null : step
}

function stepOf(fleet: Decided, comparison: Comparison): Step {
  const { missing, surplus, recycling, undeclared, expired, missingScenario } = comparison
  const remove = surplus.map(({ id }) => id)
  if (fleet.isDeleting) {
    return { ...NO_CHANGE, remove, declare: undeclared, policy: fleet.deletionPolicy }
  }
  const policy = fleet.scaleDownPolicy
  if (fleet.isPaused) return { ...NO_CHANGE, policy }
  const isContentKnown = missingScenario === null
  return {
    policy,
    expire: expired > 0,
    remove,
    replace: isContentKnown ? selectReplacements(fleet.updateStrategy, comparison) : [],
    create: isContentKnown ? missing : [],
    reset: isContentKnown ? recycling : [],
    declare: undeclared,
  }
}

function isEmpty({ expire, remove, replace, create, reset, declare }: Step): boolean {
  const batches = [remove, replace, create, reset, declare]
  return !expire && batches.every((batch) => batch.length === 0)
}

/** Whether a step repeats the previous one, which has therefore changed nothing. */
export function isSameStep(step: Step, previous: Step | null): boolean {
  return previous !== null && JSON.stringify(step) === JSON.stringify(previous)
}
