import type { StatusSummary, StoredAvailable } from '../../../../store/model/status-record.ts'
import { isFinalizedAt } from '../is-finalized.ts'

/** A required adapter and the content of its stored report, if any. */
export interface Requirement {
  readonly adapter: string
  /** Its last Available of True or False; null until it has reported one. */
  readonly available: StoredAvailable | null
  /** Whether its report says Finalized True at the resource's generation. */
  readonly finalized: boolean
}

/** The state of each required adapter at the resource's generation. */
export function requirementsOf(
  required: readonly string[],
  reports: readonly StatusSummary[],
  generation: number,
): readonly Requirement[] {
  const stored = new Map(reports.map((report) => [report.adapter, report]))
  return required.map((adapter) => {
    const report = stored.get(adapter)
    return {
      adapter,
      available: report?.available ?? null,
      finalized: report !== undefined && isFinalizedAt(report, generation),
    }
  })
}

/** Whether an adapter's last Available, if any, is at a generation that the resource has reached. */
export function isCurrent(availableGeneration: number | null, generation: number): boolean {
  return availableGeneration !== null && availableGeneration <= generation
}

/** The reasons why not all required adapters are True at `generation`, as text for people. */
export function unmetRequirements(
  requirements: readonly Requirement[],
  generation: number,
): readonly string[] {
  return requirements
    .map((requirement) => unmetRequirement(requirement, generation))
    .filter((reason) => reason !== null)
}

function unmetRequirement({ adapter, available }: Requirement, generation: number): string | null {
  if (available === null) return `${adapter} is missing`
  const at = available.observed_generation
  if (at < generation) return `${adapter} is behind (generation ${at})`
  if (at > generation) return `${adapter} is ahead (generation ${at})`
  return available.status === 'False' ? `${adapter} reports False` : null
}
