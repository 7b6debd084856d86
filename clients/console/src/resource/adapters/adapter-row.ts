import type {
  AdapterStatus,
  ReadinessRequirement,
  RequirementState,
} from '../../../../typescript/src/index.ts'
import type { IconName } from '../../design/icon.tsx'
import type { Tone } from '../../design/tone.ts'

/** An adapter on the page of a resource. */
export interface AdapterRow {
  readonly adapter: string
  readonly isRequired: boolean
  readonly requirement: ReadinessRequirement
  readonly report: AdapterStatus | null
}

/** The words and the look of an adapter's state. */
export interface StateLook {
  readonly label: string
  readonly tone: Tone
  readonly icon: IconName
}

/** How each state of an adapter is shown. */
export const STATE_LOOKS: Readonly<Record<RequirementState, StateLook>> = {
  satisfied: { label: 'Current', tone: 'good', icon: 'check' },
  behind: { label: 'Behind', tone: 'warn', icon: 'clock' },
  ahead: { label: 'Ahead', tone: 'warn', icon: 'up' },
  unfinalized: { label: 'Cleaning up', tone: 'warn', icon: 'clock' },
  missing: { label: 'Missing', tone: 'neutral', icon: 'question' },
  unknown: { label: 'Unknown', tone: 'neutral', icon: 'question' },
  false: { label: 'Failing', tone: 'bad', icon: 'alert' },
}

/** Required adapters first, and among them those that need attention. */
const ORDER: Readonly<Record<RequirementState, number>> = {
  false: 0,
  behind: 1,
  ahead: 2,
  unfinalized: 3,
  missing: 4,
  unknown: 5,
  satisfied: 6,
}

interface Input {
  readonly required: readonly ReadinessRequirement[]
  /** The states of adapters that have reported although the kind does not require them. */
  readonly others: readonly ReadinessRequirement[]
  readonly reports: readonly AdapterStatus[]
}

/** The adapters of a resource: required ones first, then by urgency and name. */
export function adapterRows({ required, others, reports }: Input): readonly AdapterRow[] {
  const rowOf = (requirement: ReadinessRequirement, isRequired: boolean): AdapterRow => ({
    adapter: requirement.adapter,
    isRequired,
    requirement,
    report: reports.find(({ adapter }) => adapter === requirement.adapter) ?? null,
  })
  return [
    ...sorted(required.map((requirement) => rowOf(requirement, true))),
    ...sorted(others.map((requirement) => rowOf(requirement, false))),
  ]
}

function sorted(rows: readonly AdapterRow[]): readonly AdapterRow[] {
  return rows.toSorted(
    (one, other) =>
      ORDER[one.requirement.state] - ORDER[other.requirement.state] ||
      one.adapter.localeCompare(other.adapter),
  )
}

/** The oldest generation that a required adapter has observed; null if all are current. */
export function oldestObserved(
  requirements: readonly ReadinessRequirement[],
  generation: number,
): number | null {
  const behind = requirements
    .map(({ observedGeneration }) => observedGeneration)
    .filter((observed) => observed !== null)
    .filter((observed) => observed < generation)
  return behind.length === 0 ? null : Math.min(...behind)
}
