import { FlotillaError, notFound } from '../../lib/errors.ts'
import { retry } from '../../lib/async/retry.ts'
import { type Context, WRITE_ATTEMPTS } from '../../core/operations/context.ts'
import { ancestorsOf } from '../../core/operations/write/finishing.ts'
import { keyOf, type Target } from '../../core/operations/read/read-resource.ts'
import { unlessCollision } from '../../core/storage/database/unless-collision.ts'
import { hasChild, removeResources } from '../../core/storage/resources/delete/remove-resources.ts'
import { readForMappedReport } from '../storage/read-for-mapped-report.ts'
import { readForReport } from '../storage/read-for-report.ts'
import type { ReportInputs } from '../storage/report-inputs.ts'
import { storeReport } from '../storage/store-report.ts'
import { touchReport } from '../storage/touch-report.ts'
import { decideReport, type ReportDecision, type ReportRequest } from './decide-report.ts'
import type { ReportOutcome } from './report-outcome.ts'
import type { SyncedResource } from './synced-versions.ts'

/** Receives a resource whose conditions were found in sync with its reports. */
type OnSynced = (resource: SyncedResource) => void

/**
 * Writes one report by itself, queued with this process's other writes of the resource. The report
 * that completes the finalization of a deleted resource also removes it, in the same commit.
 */
export async function writeSingleReport(
  context: Context,
  target: Target,
  request: ReportRequest,
  onSynced: OnSynced = () => undefined,
): Promise<ReportOutcome> {
  const outcome = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, target, request, onSynced)),
  )
  if (outcome !== null) return outcome
  const detail = 'Other writes kept changing the resource: send the report again'
  throw new FlotillaError('unavailable', detail)
}

/** Null if the resource or the report changed between read and write. */
async function attempt(
  context: Context,
  target: Target,
  request: ReportRequest,
  onSynced: OnSynced,
): Promise<ReportOutcome | null> {
  const { database, registry, feed } = context
  const inputs =
    target.kind.mapping !== undefined
      ? await readForMappedReport(database, keyOf(target))
      : await readForReport(database, keyOf(target), request.report.adapter)
  if (!inputs) throw notFound(target.kind.kind, target.id)
  const decision = decideReport(registry, inputs, request, context.clock())
  if ('discard' in decision) return { discarded: decision.discard }
  const { status, changesResource, isSynced, finished } = decision
  const { resource } = inputs
  if (finished && !(await hasChild(database, resource.id))) {
    const ancestors = await ancestorsOf(context, resource.id)
    const removed = await removeResources(database, { removed: [resource], ancestors })
    if (removed) feed.sequencer.notifyWrite()
    return removed ? { stored: status } : null
  }
  if (!(await write(context, inputs, decision))) return null
  if (changesResource) feed.sequencer.notifyWrite()
  else feed.sequencer.notifyPossibleWrite()
  if (isSynced) onSynced(resource)
  return { stored: status }
}

function write(
  { database }: Context,
  { resource }: ReportInputs,
  { status, stored, conditions, changesResource, finished }: ReportDecision,
): Promise<boolean> {
  const rowVersion = stored?.rowVersion ?? 0
  if (!changesResource) return touchReport(database, resource.id, status, rowVersion)
  const report = { resource, conditions, status, rowVersion, awaitsChildren: finished }
  return unlessCollision(() => storeReport(database, report), false)
}
