import { invalid } from '../../../lib/errors.ts'
import { timeBeside } from '../../../lib/precise-date.ts'
import type {
  StatusRecord,
  StoredAvailable,
  StoredCondition,
} from '../../../store/model/status-record.ts'
import { wording } from '../conditions/wording.ts'
import type { Report, SentReport } from '../model/report.ts'
import { outdatedReason } from './outdated-reason.ts'
import { storedConditions } from './stored-conditions.ts'
import { strictViolations } from './strict-violations.ts'
import type { CompleteInput, Profile, ValidationInput } from './validation-input.ts'

/** Why a report is discarded, in the order of the checks. */
export const DISCARD_REASONS = {
  lenient: ['stale-generation', 'unknown-after-report'],
  strict: ['future-generation', 'stale-generation', 'stale-observed-time', 'unknown-after-report'],
} as const satisfies Record<Profile, readonly string[]>

export type DiscardReason = (typeof DISCARD_REASONS)[Profile][number]

/** Whether a report is discarded, or stored as the adapter's status record. */
export type Validation =
  | { readonly discard: DiscardReason }
  | {
      readonly store: StatusRecord
      /** Whether the resource's conditions must be recomputed. */
      readonly recompute: boolean
    }

/**
 * Decides whether a report is stored, builds its status record, and decides whether the resource's
 * conditions must be recomputed. Throws VAL-000 if a strict report is current but not valid.
 */
export function validateReport(sent: ValidationInput): Validation {
  const input = completeInput(sent)
  const { report, stored, deleting } = input
  const reason = outdatedReason(input)
  if (reason !== null) return { discard: reason }
  const violations = input.profile === 'strict' ? strictViolations(report, input.now) : []
  if (violations.length > 0) throw invalid(violations)
  const isUnknown = stored !== null && statusOf(report, 'Available') === 'Unknown'
  // On a live resource there is nothing to finalize yet.
  const finalized = deleting && statusOf(report, 'Finalized') === 'True'
  if (isUnknown && !finalized) return { discard: 'unknown-after-report' }
  const conditions = storedConditions(input)
  const available = isUnknown ? null : availableOf(conditions, report.observedGeneration)
  return {
    store: {
      adapter: report.adapter,
      observedGeneration: report.observedGeneration,
      available: available ?? stored?.available ?? null,
      conditions,
      data: report.data,
      metadata: report.metadata,
      finalized,
      observedTime: timeBeside(input.now, report.observedTime),
      ...reportTimes(input),
    },
    // While a resource is being deleted, its conditions also depend on Finalized.
    recompute: available !== null || deleting,
  }
}

/** Fills in the time that an adapter may omit, by the server's clock. */
export function completeReport(report: SentReport, now: Date): Report {
  if (isComplete(report)) return report
  return { ...report, observedTime: now.toISOString() }
}

function isComplete(report: SentReport): report is Report {
  return report.observedTime !== null
}

function completeInput(sent: ValidationInput): CompleteInput {
  const { profile, stored, generation, deleting, now } = sent
  const report = completeReport(sent.report, now)
  const isTimed = sent.report.observedTime !== null
  // Not a spread, which costs several times as much as the rest of the validation.
  return { report, isTimed, profile, stored, generation, deleting, now }
}

function statusOf({ conditions }: Report, type: string) {
  return conditions.find((condition) => condition.type === type)?.status
}

/** The Available to store, or null if the report has none of True or False. */
function availableOf(
  conditions: readonly StoredCondition[],
  generation: number,
): StoredAvailable | null {
  const available = conditions.find(({ type }) => type === 'Available')
  if (available === undefined || available.status === 'Unknown') return null
  const { status, last_transition_time } = available
  return { status, ...wording(available), observed_generation: generation, last_transition_time }
}

function reportTimes({ report, stored, now }: CompleteInput) {
  if (stored !== null) return { createdTime: stored.createdTime, lastReportTime: now }
  const observed = timeBeside(now, report.observedTime)
  const first = observed < now ? observed : now
  return { createdTime: first, lastReportTime: first }
}
