import type {
  AdapterStatus,
  Report,
  ReportedCondition,
  StoredAvailable,
  StoredCondition,
} from '../model/report.ts'
import { wording } from './wording.ts'

export type DiscardReason = 'stale-generation' | 'unknown-after-report'

/** What becomes of a report: dropped, or stored as the adapter's row. */
export type Judgement =
  | { readonly discard: DiscardReason }
  | {
      readonly store: AdapterStatus
      /** Whether the resource's conditions are to be synthesized anew. */
      readonly recompute: boolean
    }

export interface ReportCase {
  readonly report: Report
  /** The adapter's row, null before its first report. */
  readonly stored: Omit<AdapterStatus, 'data' | 'metadata'> | null
  /** The resource's generation. */
  readonly generation: number
  readonly now: Date
}

/** Decides whether a report is stored, as what, and whether the resource's conditions follow. */
export function judgeReport(input: ReportCase): Judgement {
  const { report, stored } = input
  if (isStale(input)) return { discard: 'stale-generation' }
  const before = new Map(stored?.conditions.map((condition) => [condition.type, condition]))
  const conditions = report.conditions.map((condition) => {
    return withTransition(condition, before.get(condition.type), input)
  })
  const reported = conditions.find(isAvailable)
  if (reported?.status === 'Unknown' && stored !== null) return { discard: 'unknown-after-report' }
  const verdict = reported === undefined ? null : toAvailable(reported, report.observedGeneration)
  return {
    store: {
      adapter: report.adapter,
      observedGeneration: report.observedGeneration,
      available: verdict ?? stored?.available ?? null,
      conditions,
      data: report.data,
      metadata: report.metadata,
      ...reportTimes(input),
    },
    recompute: verdict !== null,
  }
}

/** An adapter that ran ahead of the resource may come back to a generation the resource has. */
function isStale({ report, stored, generation }: ReportCase): boolean {
  if (stored === null || report.observedGeneration >= stored.observedGeneration) return false
  const comesBack =
    stored.observedGeneration > generation && report.observedGeneration <= generation
  return !comesBack
}

function isAvailable({ type }: ReportedCondition): boolean {
  return type === 'Available'
}

/** The adapter's own time of the change, kept for as long as the status stays. */
function withTransition(
  condition: ReportedCondition,
  row: StoredCondition | undefined,
  { report, stored }: ReportCase,
): StoredCondition {
  // The last Available outlives rows without one.
  const previous = isAvailable(condition) ? (stored?.available ?? row) : row
  const { type, status } = condition
  return {
    type,
    status,
    ...wording(condition),
    last_transition_time:
      previous?.status === status ? previous.last_transition_time : report.observedTime,
  }
}

function toAvailable(condition: StoredCondition, generation: number): StoredAvailable | null {
  const { status, last_transition_time } = condition
  if (status === 'Unknown') return null
  return { status, ...wording(condition), observed_generation: generation, last_transition_time }
}

function reportTimes({ report, stored, now }: ReportCase) {
  if (stored !== null) return { createdTime: stored.createdTime, lastReportTime: now }
  const observed = new Date(report.observedTime)
  const first = observed < now ? observed : now
  return { createdTime: first, lastReportTime: first }
}
