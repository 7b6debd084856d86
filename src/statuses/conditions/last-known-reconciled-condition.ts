import type { ResourceCondition } from '../../core/model/condition.ts'
import type { StoredAvailable } from '../../core/model/status-record.ts'
import { isCurrent } from './is-current.ts'
import type { Requirement } from './requirement.ts'
import { restate } from './restate.ts'

interface LastKnownInput {
  readonly requirements: readonly Requirement[]
  readonly generation: number
  readonly previous: ResourceCondition
  readonly now: Date
}

interface Verdict extends StoredAvailable {
  readonly adapter: string
}

/**
 * LastKnownReconciled remembers the last generation at which all required adapters were True, the
 * tracked one. Nothing but a False at that very generation ends it, whatever the others work on.
 */
export function lastKnownReconciledCondition(input: LastKnownInput): ResourceCondition {
  const { previous, now } = input
  const verdicts = countingVerdicts(input)
  if (verdicts === null) return previous
  const newest = Math.max(...verdicts.map((verdict) => verdict.observed_generation))
  const shortfalls = verdicts
    .map((verdict) => shortfall(verdict, newest))
    .filter((words) => words !== null)
  if (shortfalls.length > 0 && isKept(previous, verdicts)) return previous
  return restate(previous, {
    generation: newest,
    shortfalls,
    whenTrue: {
      reason: 'AllAdaptersReconciled',
      message: `All adapters are reconciled at generation ${newest}`,
    },
    whenFalse: { reason: 'AdaptersNotReconciled', message: 'Not reconciled' },
    now,
  })
}

/** The verdict of every required adapter; null where one does not count, or nothing is required. */
function countingVerdicts({ requirements, generation }: LastKnownInput): Verdict[] | null {
  const verdicts = requirements.flatMap(({ adapter, available }) =>
    available !== null && isCurrent(available.observed_generation, generation)
      ? [{ adapter, ...available }]
      : [],
  )
  return verdicts.length === 0 || verdicts.length < requirements.length ? null : verdicts
}

function isKept(previous: ResourceCondition, verdicts: readonly Verdict[]): boolean {
  if (previous.status !== 'True') return false
  const tracked = previous.observed_generation
  return !verdicts.some(
    ({ status, observed_generation }) => status === 'False' && observed_generation === tracked,
  )
}

/** What keeps an adapter from being True at the newest generation; a False is named as such at any. */
function shortfall(verdict: Verdict, newest: number): string | null {
  const { adapter, status, observed_generation: at } = verdict
  if (status === 'False')
    return `${adapter} reports False${at < newest ? ` (generation ${at})` : ''}`
  return at < newest ? `${adapter} is behind (generation ${at})` : null
}
