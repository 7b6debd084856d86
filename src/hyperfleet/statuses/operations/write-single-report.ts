import { must } from '../../../lib/assert.ts'
import { FlotillaError, notFound } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import { type Context, WRITE_ATTEMPTS } from '../../../store/operations/context.ts'
import { ancestorsOf } from '../../../store/operations/write/finishing.ts'
import { keyOf, type Target } from '../../../store/operations/read/read-resource.ts'
import type { Database } from '../../../store/database/database.ts'
import { unlessCollision } from '../../../store/database/unless-collision.ts'
import {
  hasChild,
  type Removal,
  removeResources,
} from '../../../store/resources/delete/remove-resources.ts'
import { readForMappedReport } from '../storage/read-for-mapped-report.ts'
import { readForReport } from '../storage/read-for-report.ts'
import type { ReportInputs } from '../storage/report-inputs.ts'
import { type ReportWrite, storeLeasedReport, storeReport } from '../storage/store-report.ts'
import { touchLeasedReport, touchReport } from '../storage/touch-report.ts'
import { endLease, holdsLease } from '../storage/end-lease.ts'
import {
  decideReport,
  type ReportDecision,
  type ReportLease,
  type ReportRequest,
} from './decide-report.ts'
import type { BatchEntry } from './plan-batch.ts'
import type { ReportOutcome } from './report-outcome.ts'
import type { SyncedResource } from './synced-versions.ts'
import { leaseEnded } from './lease-ended.ts'
import { completedLease } from './lease-outcome.ts'

/** Receives a resource whose conditions were found in sync with its reports. */
type OnSynced = (resource: SyncedResource) => void

/**
 * Writes one report by itself, queued with this process's other writes of the resource. The report
 * that completes the finalization of a deleted resource also removes it, in the same commit.
 */
export async function writeSingleReport(
  context: Context,
  entry: BatchEntry,
  onSynced: OnSynced = () => undefined,
): Promise<ReportOutcome> {
  const outcome = await context.writes.run(entry.target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, entry, onSynced)),
  )
  if (outcome !== null) return outcome
  const detail = 'Other writes kept changing the resource: send the report again'
  throw new FlotillaError('unavailable', detail)
}

/** Null if the resource or the report changed between read and write. */
async function attempt(
  context: Context,
  { target, request }: BatchEntry,
  onSynced: OnSynced,
): Promise<ReportOutcome | null> {
  const { database, registry, feed } = context
  const inputs =
    target.kind.mapping !== undefined
      ? await readForMappedReport(database, keyOf(target))
      : await readForReport(database, keyOf(target), request.report.adapter)
  if (!inputs) throw notFound(target.kind.kind, target.id)
  const decision = decideReport({ registry, now: context.clock() }, inputs, request)
  if ('discard' in decision) {
    await requireLease(context, target, request)
    return { discarded: decision.discard, resource: inputs.resource }
  }
  const { status, changesResource, isSynced, finished, latencyMs } = decision
  const { resource } = inputs
  if (finished && !(await hasChild(database, resource.id))) {
    const ancestors = await ancestorsOf(context, resource.id)
    const removed = await remove(context, request, { removed: [resource], ancestors })
    if (removed) feed.sequencer.notifyWrite()
    return removed ? { stored: status, latencyMs, resource } : null
  }
  const report = decidedReport(resource, decision)
  const written = await write(database, report, request.lease ?? null)
  if (written === null) throw leaseEnded()
  if (!written) return null
  if (changesResource) feed.sequencer.notifyWrite()
  else feed.sequencer.notifyPossibleWrite()
  if (isSynced) onSynced(resource)
  return { stored: status, latencyMs, resource }
}

interface DecidedReport extends ReportWrite {
  readonly changesResource: boolean
}

function decidedReport(
  resource: ReportInputs['resource'],
  { status, stored, conditions, changesResource, finished: awaitsChildren }: ReportDecision,
): DecidedReport {
  const rowVersion = stored?.rowVersion ?? 0
  return { resource, conditions, status, rowVersion, awaitsChildren, changesResource }
}

/** Null if the lease has ended. */
function write(
  database: Database,
  report: DecidedReport,
  reportLease: ReportLease | null,
): Promise<boolean | null> {
  const { resource, status, changesResource } = report
  if (reportLease === null) {
    if (!changesResource) return touchReport(database, report)
    return unlessCollision(() => storeReport(database, report), false)
  }
  const lease = completedLease(reportLease, resource, status)
  if (!changesResource) return touchLeasedReport(database, report, lease)
  return unlessCollision(() => storeLeasedReport(database, report, lease), false)
}

/** Removes the resource that a report finishes, together with the lease of the report. */
async function remove(
  { database }: Context,
  { report, lease = null }: ReportRequest,
  removal: Removal,
): Promise<boolean> {
  if (lease === null) return removeResources(database, removal)
  const resourceId = must(removal.removed[0], 'the removed resource').id
  // After a collision, the commit of the failed transaction rolls it back.
  return database.transaction(async (transaction) => {
    const { adapter } = report
    const isHeld = await endLease(transaction, { adapter, resourceId, token: lease.token })
    if (!isHeld) throw leaseEnded()
    return removeResources(transaction, removal)
  })
}

/** A discarded report does not complete its lease, but the lease must be held. */
async function requireLease(
  { database }: Context,
  { id: resourceId }: Target,
  { report: { adapter }, lease = null }: ReportRequest,
): Promise<void> {
  if (lease === null) return
  const { token } = lease
  if (!(await holdsLease(database, { adapter, resourceId, token }))) throw leaseEnded()
}
