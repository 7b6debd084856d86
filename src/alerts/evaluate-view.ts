import type { LeasedRow } from '../adapter-work/storage/claim-work.ts'
import { ALERTS_ADAPTER } from '../hyperfleet/kinds/view/kind.ts'
import type { ReportedCondition } from '../hyperfleet/statuses/model/report.ts'
import { reportStatus } from '../hyperfleet/statuses/operations/report-status.ts'
import type { StatusContext } from '../hyperfleet/statuses/operations/status-context.ts'
import type { AcceptedReport } from '../hyperfleet/verbs/handler.ts'
import { must } from '../lib/assert.ts'
import { FlotillaError } from '../lib/errors.ts'
import type { JsonObject } from '../lib/json/json.ts'
import { isStatementTimeout } from '../store/database/translate-database-error.ts'
import type { Resource } from '../store/model/resource.ts'
import type { StatusRecord } from '../store/model/status-record.ts'
import { countSelection } from '../store/operations/list/count-selection.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import { readForUpdate } from '../store/resources/read-for-update.ts'
import type { AlertMetrics } from './alert-metrics.ts'
import { type AlertRule, alertRuleOf, type Counted, decideAlert } from './decide-alert.ts'

/** The number of matching resources beyond which a view is not counted: more than any alert accepts. */
const MAX_COUNT = 10_001

/** The dependencies of evaluations. */
export interface EvaluationContext {
  readonly operations: StatusContext
  /** The kind of views. */
  readonly kind: RegisteredKind
  readonly intervalSeconds: number
  /** A view rests for this many times the duration of its count, if that is longer than the interval. */
  readonly restFactor: number
  readonly metrics: AlertMetrics
  /** Must not throw. */
  readonly onReport: (report: AcceptedReport) => void
  /** Whether a server with other kinds runs, which may know the kind that this one lacks. */
  readonly hasOtherConfiguration: () => Promise<boolean>
}

/** The content of a report, and when its view is due again; null if only a change makes it due. */
interface Evaluation {
  readonly conditions: readonly ReportedCondition[]
  readonly data: JsonObject
  readonly againSeconds: number | null
}

/**
 * Evaluates a leased view and reports the result, which completes the lease. Another server that was
 * paused meanwhile has lost the lease, so its result is rejected. Returns false if the evaluation must
 * wait, because too many searches run.
 */
export async function evaluateView(
  context: EvaluationContext,
  { resource_id: id, token }: LeasedRow,
): Promise<boolean> {
  const { operations, kind, metrics, onReport } = context
  const found = await readForUpdate(operations.database, { kind: kind.kind, id })
  if (found === null) return true
  const { resource, states } = found
  const last = states.find(({ adapter }) => adapter === ALERTS_ADAPTER) ?? null
  const evaluation = await evaluate(context, resource, last)
  if (evaluation === null) {
    metrics.evaluated('postponed')
    return false
  }
  const { conditions, data, againSeconds } = evaluation
  const target = { tenant: null, kind, id, ownerId: null }
  const outcome = await reportStatus(operations, target, {
    report: {
      adapter: ALERTS_ADAPTER,
      observedGeneration: resource.generation,
      observedTime: null,
      conditions,
      data,
      metadata: null,
    },
    profile: 'lenient',
    lease: { token, againSeconds },
  })
  if ('discarded' in outcome) return true
  const { stored, latencyMs } = outcome
  const { tenant } = outcome.resource
  const time = stored.lastReportTime
  onReport({ kind: kind.kind, tenant, adapter: ALERTS_ADAPTER, time, latencyMs })
  const [before, after] = [isFiring(last?.conditions ?? []), isFiring(stored.conditions)]
  if (before !== after) metrics.changed(after ? 'firing' : 'resolved')
  return true
}

/** Null if it must wait. */
async function evaluate(
  context: EvaluationContext,
  { spec, tenant, deletedTime }: Resource,
  last: StatusRecord | null,
): Promise<Evaluation | null> {
  if (deletedTime !== null) {
    const finalized: ReportedCondition = { type: 'Finalized', status: 'True' }
    const conditions = [available('False', 'Deleted', 'The view is being deleted'), finalized]
    return { conditions, data: {}, againSeconds: null }
  }
  const rule = alertRuleOf(spec)
  if (rule === null) {
    const conditions = [available('True', 'NoAlert', 'The view has no alert')]
    return { conditions, data: {}, againSeconds: null }
  }
  const { operations, kind, intervalSeconds, restFactor, metrics } = context
  const begin = performance.now()
  const againSeconds = () =>
    Math.max(intervalSeconds, Math.ceil((restFactor * (performance.now() - begin)) / 1000))
  try {
    const selection = must(kind.selects, 'the selection of views')(spec)
    const count = await countSelection(operations, { tenant, selection, limit: MAX_COUNT })
    metrics.evaluated('counted')
    const now = operations.clock()
    const observed = { count, now, overSince: overSinceOf(last, now) }
    return { ...counted(rule, observed), againSeconds: againSeconds() }
  } catch (error) {
    const failure = await failureOf(context, error)
    if (failure === null) return null
    metrics.evaluated('failed')
    return { ...kept(failure, last), againSeconds: againSeconds() }
  }
}

function counted(rule: AlertRule, observed: Counted): Omit<Evaluation, 'againSeconds'> {
  const { condition, overSince } = decideAlert(rule, observed)
  return {
    conditions: [available('True', 'Counted', 'The resources of the view were counted'), condition],
    data: { count: observed.count, over_since: overSince?.toISOString() ?? null },
  }
}

/** A failed evaluation leaves the alert as it was. */
function kept(
  failure: ReportedCondition,
  last: StatusRecord | null,
): Omit<Evaluation, 'againSeconds'> {
  const firing = (last?.conditions ?? []).filter(({ type }) => type === 'Firing')
  const conditions = firing.map(({ last_transition_time: _time, ...condition }) => condition)
  return { conditions: [failure, ...conditions], data: last?.data ?? {} }
}

/** Null if the evaluation must wait. Throws errors that are not about the search. */
async function failureOf(
  { hasOtherConfiguration }: EvaluationContext,
  error: unknown,
): Promise<ReportedCondition | null> {
  if (!(error instanceof FlotillaError)) throw error
  switch (error.reason) {
    case 'too-many-requests':
      if (!isStatementTimeout(error.cause)) return null
      return available('False', 'SearchTimedOut', error.message)
    case 'invalid':
    case 'invalid-search':
      if (await hasOtherConfiguration()) return null
      return available('False', 'SearchInvalid', error.message)
    default:
      throw error
  }
}

function available(status: 'True' | 'False', reason: string, message: string): ReportedCondition {
  return { type: 'Available', status, reason, message }
}

function isFiring(conditions: readonly ReportedCondition[]): boolean {
  return conditions.some(({ type, status }) => type === 'Firing' && status === 'True')
}

/** Null unless it is a time in the past: callers can report as this adapter, and clocks differ. */
function overSinceOf(last: StatusRecord | null, now: Date): Date | null {
  const since = last?.data['over_since']
  if (typeof since !== 'string') return null
  const time = new Date(since)
  return time.getTime() <= now.getTime() ? time : null
}
