import type { Comparison } from '../members/fleet-members.ts'
import type { ObservedFleet } from './observed-fleet.ts'

interface State {
  readonly fleet: Pick<ObservedFleet, 'isDeleting' | 'isPaused'>
  readonly comparison: Pick<
    Comparison,
    'conflicts' | 'missingScenario' | 'nextExpiry' | 'counts' | 'undeclared'
  >
  /** Milliseconds until failed members are tried again; null if none has failed. */
  readonly retryMs: number | null
  /** Changes are left, but the last step has changed nothing. */
  readonly isStuck: boolean
}

/** Such as members that another transaction has locked. */
const STUCK_MS = 250
/** A foreign cluster gives its name back without a change that the controller follows. */
const CONFLICT_MS = 5000
/** Changes announce the removal of clusters and the creation of Scenarios; this is a precaution. */
const PRECAUTION_MS = 30_000
/** The database decides whether a claim has ended, and its clock may be behind. */
const MIN_CLAIM_MS = 100

/** Milliseconds until a fleet must be compared again; null if only changes need it. */
export function decideRecheck(state: State, now: Date): number | null {
  const { fleet, comparison, retryMs, isStuck } = state
  const { conflicts, missingScenario, nextExpiry, counts, undeclared } = comparison
  const delays: (number | null)[] = [retryMs]
  if (isStuck) delays.push(STUCK_MS)
  if (conflicts.length > 0) delays.push(CONFLICT_MS)
  const waits = missingScenario !== null || counts.terminating > 0 || undeclared.length > 0
  if (waits) delays.push(PRECAUTION_MS)
  if (nextExpiry !== null && !fleet.isPaused && !fleet.isDeleting) {
    delays.push(Math.max(MIN_CLAIM_MS, Date.parse(nextExpiry) - now.getTime()))
  }
  const due = delays.filter((delay) => delay !== null)
  return due.length === 0 ? null : Math.min(...due)
}

type Emptied = Pick<ObservedFleet, 'isDeleting' | 'deletionPolicy'>

/** Whether a deleted fleet has no members left, and its clusters are gone if it deletes them. */
export function isEmptied(
  { isDeleting, deletionPolicy }: Emptied,
  { counts }: Pick<Comparison, 'counts'>,
): boolean {
  if (!isDeleting || counts.members > 0) return false
  return deletionPolicy === 'Orphan' || counts.terminating === 0
}
