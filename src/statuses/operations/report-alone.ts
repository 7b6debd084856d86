import { FlotillaError, notFound } from '../../lib/errors.ts'
import { retry } from '../../lib/async/retry.ts'
import { hasChild } from '../../core/storage/resources/delete/remove-resources.ts'
import { readForMappedReport } from '../storage/read-for-mapped-report.ts'
import { readForReport } from '../storage/read-for-report.ts'
import { removeResources } from '../../core/storage/resources/delete/remove-resources.ts'
import type { ReportBasis } from '../storage/report-basis.ts'
import { storeReport } from '../storage/store-report.ts'
import { touchReport } from '../storage/touch-report.ts'
import { unlessCollision } from '../../core/storage/database/unless-collision.ts'
import { type Context, WRITE_ATTEMPTS } from '../../core/operations/context.ts'
import { decideReport, type ReportDecision, type ReportRequest } from './decide-report.ts'
import { ancestorsOf } from '../../core/operations/write/finishing.ts'
import { keyOf, type Target } from '../../core/operations/read/read-resource.ts'
import type { ReportOutcome } from './report-outcome.ts'

/**
 * Takes one report by itself, in line with the process' other writes of the resource. The report
 * that finishes a resource which is being deleted removes it, in the same commit.
 */
export async function reportAlone(
  context: Context,
  target: Target,
  request: ReportRequest,
): Promise<ReportOutcome> {
  const outcome = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, target, request)),
  )
  if (outcome === null) throw gaveUp()
  return outcome
}

/** The failure of a report that lost every race. */
function gaveUp(): FlotillaError {
  const detail = 'The resource is being written too often; send the report again'
  return new FlotillaError('unavailable', detail)
}

/** Null where what was read has changed before it was written. */
async function attempt(
  context: Context,
  target: Target,
  request: ReportRequest,
): Promise<ReportOutcome | null> {
  const { database, registry, feed } = context
  const basis =
    target.kind.mapping !== undefined
      ? await readForMappedReport(database, keyOf(target))
      : await readForReport(database, keyOf(target), request.report.adapter)
  if (!basis) throw notFound(target.kind.kind, target.id)
  const decision = decideReport(registry, basis, request, context.clock())
  if ('discard' in decision) return { discarded: decision.discard }
  const { status, stored, changes, settles, finished } = decision
  const { resource } = basis
  if (finished && !(await hasChild(database, resource.id))) {
    const ancestors = await ancestorsOf(context, resource.id)
    const removed = await removeResources(database, { doomed: [resource], ancestors })
    if (removed) feed.sequencer.notifyWrite()
    return removed ? { stored: status } : null
  }
  if (!(await write(context, basis, decision))) return null
  if (changes) feed.sequencer.notifyWrite()
  else feed.sequencer.notifyPossibleWrite()
  if (!settles || stored === null) return { stored: status }
  const report = { ...status, revision: stored.revision + 1 }
  return { stored: status, settled: { resource, report } }
}

function write(
  { database }: Context,
  { resource }: ReportBasis,
  { status, stored, conditions, changes, finished }: ReportDecision,
): Promise<boolean> {
  const revision = stored?.revision ?? 0
  if (!changes) return touchReport(database, resource.id, status, revision)
  return unlessCollision(
    () =>
      storeReport(database, { resource, conditions, status, revision, awaitsChildren: finished }),
    false,
  )
}
