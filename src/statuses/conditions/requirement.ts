import type { StatusSummary, StoredAvailable } from '../../core/model/status-record.ts'
import { isFinalizedAt } from './is-finalized.ts'

/** A required adapter and what its stored report says, if it has one. */
export interface Requirement {
  readonly adapter: string
  /** Its last Available of True or False; null until it has reported one. */
  readonly available: StoredAvailable | null
  /** Whether its report says Finalized True at the resource's generation. */
  readonly finalized: boolean
}

/** What is known of each required adapter at the resource's generation. */
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
