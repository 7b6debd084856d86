import type { ResourceCondition } from '../../../../store/model/condition.ts'
import type { StoredAvailable } from '../../../../store/model/status-record.ts'
import { recomputeCondition } from './recompute-condition.ts'
import { isCurrent, type Requirement } from './requirement.ts'

interface LastKnownInput {
  readonly requirements: readonly Requirement[]
  readonly generation: number
  readonly previous: ResourceCondition
  readonly now: Date
}

interface AdapterAvailable extends StoredAvailable {
  readonly adapter: string
}

/**
 * LastKnownReconciled tracks the last generation at which all required adapters were True. It
 * becomes False only if an adapter reports False at the tracked generation.
 */
export function lastKnownReconciledCondition(input: LastKnownInput): ResourceCondition {
  const { previous, now } = input
  const reported = currentAvailables(input)
  if (reported === null) return previous
  const newest = Math.max(...reported.map((available) => available.observed_generation))
  const unmet = reported
    .map((available) => unmetAt(newest, available))
    .filter((reason) => reason !== null)
  if (unmet.length > 0 && isKept(previous, reported)) return previous
  return recomputeCondition(previous, {
    generation: newest,
    unmet,
    whenTrue: {
      reason: 'AllAdaptersReconciled',
      message: `All adapters are reconciled at generation ${newest}`,
    },
    whenFalse: { reason: 'AdaptersNotReconciled', message: 'Not reconciled' },
    now,
  })
}

/** The Available of every required adapter; null if one is not current, or none is required. */
function currentAvailables({
  requirements,
  generation,
}: LastKnownInput): readonly AdapterAvailable[] | null {
  const current = requirements.flatMap(({ adapter, available }) =>
    available !== null && isCurrent(available.observed_generation, generation)
      ? [{ adapter, ...available }]
      : [],
  )
  return current.length === 0 || current.length < requirements.length ? null : current
}

function isKept(previous: ResourceCondition, reported: readonly AdapterAvailable[]): boolean {
  if (previous.status !== 'True') return false
  const tracked = previous.observed_generation
  return !reported.some(
    ({ status, observed_generation }) => status === 'False' && observed_generation === tracked,
  )
}

/** Why an adapter is not True at the newest generation. A False is named at any generation. */
function unmetAt(newest: number, available: AdapterAvailable): string | null {
  const { adapter, status, observed_generation: at } = available
  if (status === 'False')
    return `${adapter} reports False${at < newest ? ` (generation ${at})` : ''}`
  return at < newest ? `${adapter} is behind (generation ${at})` : null
}
