import { invalid } from '../../lib/errors.ts'
import type {
  StatusRecord,
  StoredAvailable,
  StoredCondition,
} from '../../core/model/status-record.ts'
import type { Report } from '../model/report.ts'
import { completeReport } from './complete-report.ts'
import { outdated } from './outdated.ts'
import type { Profile, ReportCase, SentCase } from './report-case.ts'
import { storedConditions } from './stored-conditions.ts'
import { strictViolations } from './strict-violations.ts'
import { wording } from './wording.ts'

/** Why a report may be dropped, in the order in which it is found out. */
export const DISCARD_REASONS = {
  lenient: ['stale-generation', 'unknown-after-report'],
  strict: ['future-generation', 'stale-generation', 'stale-observed-time', 'unknown-after-report'],
} as const satisfies Record<Profile, readonly string[]>

export type DiscardReason = (typeof DISCARD_REASONS)[Profile][number]

/** What becomes of a report: dropped, or stored as the adapter's row. */
export type Judgement =
  | { readonly discard: DiscardReason }
  | {
      readonly store: StatusRecord
      /** Whether the resource's conditions are to be synthesized anew. */
      readonly recompute: boolean
    }

/**
 * Decides whether a report is stored, as what, and whether the resource's conditions follow. Throws
 * `invalid` where a strict report is up to date and not valid.
 */
export function validateReport(sent: SentCase): Judgement {
  const input = completeCase(sent)
  const { report, stored, deleting } = input
  const reason = outdated(input)
  if (reason !== null) return { discard: reason }
  const violations = input.profile === 'strict' ? strictViolations(report, input.now) : []
  if (violations.length > 0) throw invalid(violations)
  const saysNothing = stored !== null && statusOf(report, 'Available') === 'Unknown'
  // On a live resource there is nothing to finalize yet.
  const finalized = deleting && statusOf(report, 'Finalized') === 'True'
  if (saysNothing && !finalized) return { discard: 'unknown-after-report' }
  const conditions = storedConditions(input)
  const verdict = saysNothing ? null : verdictOf(conditions, report.observedGeneration)
  return {
    store: {
      adapter: report.adapter,
      observedGeneration: report.observedGeneration,
      available: verdict ?? stored?.available ?? null,
      conditions,
      data: report.data,
      metadata: report.metadata,
      finalized,
      observedTime: new Date(report.observedTime),
      ...reportTimes(input),
    },
    // While a resource is being deleted, its conditions also tell who has finalized.
    recompute: verdict !== null || deleting,
  }
}

function completeCase(sent: SentCase): ReportCase {
  const { profile, stored, generation, deleting, now } = sent
  const report = completeReport(sent.report, generation, now)
  const isTimed = sent.report.observedTime !== null
  // Written out: spreading costs several times what all of the decision does.
  return { report, isTimed, profile, stored, generation, deleting, now }
}

function statusOf({ conditions }: Report, type: string) {
  return conditions.find((condition) => condition.type === type)?.status
}

function verdictOf(
  conditions: readonly StoredCondition[],
  generation: number,
): StoredAvailable | null {
  const available = conditions.find(({ type }) => type === 'Available')
  if (available === undefined || available.status === 'Unknown') return null
  const { status, last_transition_time } = available
  return { status, ...wording(available), observed_generation: generation, last_transition_time }
}

function reportTimes({ report, stored, now }: ReportCase) {
  if (stored !== null) return { createdTime: stored.createdTime, lastReportTime: now }
  const observed = new Date(report.observedTime)
  const first = observed < now ? observed : now
  return { createdTime: first, lastReportTime: first }
}
