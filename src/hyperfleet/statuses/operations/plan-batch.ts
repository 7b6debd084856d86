import { notFound } from '../../../lib/errors.ts'
import { lazy } from '../../../lib/lazy.ts'
import { isTarget, type Target } from '../../../store/operations/read/read-resource.ts'
import { rowKey } from '../../../store/resources/row-key.ts'
import type { ReportInputs } from '../storage/report-inputs.ts'
import type { ConditionsWrite, ReportRow } from '../storage/write-reports.ts'
import {
  decideReport,
  hasLease,
  type Occasion,
  type ReportDecision,
  type ReportLease,
  type ReportRequest,
} from './decide-report.ts'
import type { ReportOutcome, StoredOutcome } from './report-outcome.ts'
import type { SyncedResource } from './synced-versions.ts'
import { completedLease } from './lease-outcome.ts'

/** A report of a batch. */
export interface BatchEntry {
  readonly target: Target
  readonly request: ReportRequest
}

/** The plan for one report of the batch. */
export type EntryPlan =
  | { readonly type: 'answer'; readonly outcome: ReportOutcome }
  | { readonly type: 'fail'; readonly error: unknown }
  /** A batch can neither remove a deleted resource nor check a lease that it does not complete. */
  | { readonly type: 'write-singly' }
  /** Answered when its row has been written. */
  | {
      readonly type: 'write'
      readonly outcome: StoredOutcome
      readonly row: string
    }

export interface BatchPlan {
  /** In the order of the entries. */
  readonly entries: readonly EntryPlan[]
  readonly changing: readonly ConditionsWrite[]
  readonly rows: readonly ReportRow[]
  /** Resources that the batch leaves unchanged and found in sync with their reports. */
  readonly synced: readonly SyncedResource[]
}

/** A resource and the effect of the reports decided so far. */
interface ResourcePlan {
  readonly read: ReportInputs
  current: ReportInputs
  changes: boolean
  isSynced: boolean
  /** The latest report of each adapter in the batch, and the number of its reports. */
  readonly rows: Map<string, Pick<ReportRow, 'status' | 'rowVersion' | 'count' | 'lease'>>
}

/**
 * Decides a batch of reports, each on the result of those before it. The writes have the same
 * result as the reports one after the other. `inputs` are the resources, by id.
 */
export function planBatch(
  occasion: Occasion,
  inputs: ReadonlyMap<string, ReportInputs>,
  entries: readonly BatchEntry[],
): BatchPlan {
  const plans = new Map<string, ResourcePlan>()
  for (const [id, read] of inputs) {
    plans.set(id, { read, current: read, changes: false, isSynced: false, rows: new Map() })
  }
  const isShared = lazy(() => sharedRows(entries))
  const planned = entries.map((entry): EntryPlan => {
    // A row of the batch completes at most one lease.
    if (hasLease(entry.request) && isShared()(entry)) return { type: 'write-singly' }
    return planEntry(occasion, plans.get(entry.target.id), entry)
  })
  const written = [...plans.values()].filter(({ rows }) => rows.size > 0)
  return {
    entries: planned,
    changing: written.flatMap(conditionsWrites),
    rows: written.flatMap(reportRows),
    synced: written
      .filter(({ isSynced, changes }) => isSynced && !changes)
      .map(({ read }) => read.resource),
  }
}

/** Whether several reports of the batch are of one adapter about one resource. */
function sharedRows(entries: readonly BatchEntry[]): (entry: BatchEntry) => boolean {
  const keyOf = ({ target, request }: BatchEntry) => rowKey(target.id, request.report.adapter)
  const counts = new Map<string, number>()
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1)
  return (entry) => (counts.get(keyOf(entry)) ?? 0) > 1
}

function planEntry(
  occasion: Occasion,
  plan: ResourcePlan | undefined,
  { target, request }: BatchEntry,
): EntryPlan {
  const { kind, id } = target
  const resource = plan?.current.resource
  if (!plan || !resource || !isTarget(target, resource)) {
    return { type: 'fail', error: notFound(kind.kind, id) }
  }
  if (resource.deletedTime !== null) return { type: 'write-singly' }
  try {
    const decision = decideReport(occasion, plan.current, request)
    if ('discard' in decision) {
      // The lease must be held, although the report does not complete it.
      if (hasLease(request)) return { type: 'write-singly' }
      return { type: 'answer', outcome: { discarded: decision.discard, resource } }
    }
    apply(plan, decision, request.lease ?? null)
    const { status, latencyMs } = decision
    const outcome = { stored: status, latencyMs, resource }
    return { type: 'write', outcome, row: rowKey(id, status.adapter) }
  } catch (error) {
    return { type: 'fail', error }
  }
}

function apply(
  plan: ResourcePlan,
  decision: ReportDecision,
  reportLease: ReportLease | null,
): void {
  const { status, stored, conditions, changesResource, isSynced } = decision
  const { adapter } = status
  const rowVersion = stored?.rowVersion ?? 0
  const { resource, states } = plan.current
  const lease = reportLease && completedLease(reportLease, resource, status)
  const others = states.filter((state) => state.adapter !== adapter)
  plan.current = {
    ...plan.current,
    resource: { ...resource, conditions },
    states: [...others, { ...status, rowVersion }],
  }
  plan.changes ||= changesResource
  plan.isSynced ||= isSynced
  const count = (plan.rows.get(adapter)?.count ?? 0) + 1
  plan.rows.set(adapter, { status, rowVersion, count, lease })
}

function conditionsWrites({ read, current, changes }: ResourcePlan): readonly ConditionsWrite[] {
  return changes ? [{ resource: read.resource, conditions: current.resource.conditions }] : []
}

function reportRows({ read, changes, rows }: ResourcePlan): readonly ReportRow[] {
  return [...rows.values()].map((row) => ({ ...row, resourceId: read.resource.id, changes }))
}
