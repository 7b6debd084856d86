import type { StatusRecord } from '../../core/model/status-record.ts'
import type { PartialBasis } from '../storage/report-basis.ts'
import { touchReports } from '../storage/touch-reports.ts'
import { rowKey } from '../../core/storage/resources/row-key.ts'
import type { Context } from '../../core/operations/context.ts'
import { type BatchEntry, foldReports, type Fold } from './fold-reports.ts'
import type { KnownReports } from './known-reports.ts'
import type { Trust } from './trust.ts'

/** What is remembered, and whether it is: where others write the same rows, it is found wrong. */
export interface RepeatMemory {
  readonly known: KnownReports
  readonly trust: Trust
}

const NOTHING_KNOWN: ReadonlyMap<string, PartialBasis> = new Map()

/** Whether a report was stored by what is known of its row; null where it has to be read first. */
export type Repeat = StatusRecord | null

/**
 * Stores those reports of a batch that repeat what their rows are known to say, as most heartbeats
 * do: one statement, nothing read before. Where a row is no longer as it is known, or a report of
 * the same resource says anything else, nothing is decided. By the order of the entries.
 */
export async function repeatReports(
  { database, registry, clock, feed }: Context,
  entries: readonly BatchEntry[],
  { known, trust }: RepeatMemory,
): Promise<readonly Repeat[]> {
  const bases = trust.isGiven() ? basesOf(entries, known) : NOTHING_KNOWN
  if (bases.size === 0) return entries.map(() => null)
  const fold = foldReports(registry, bases, entries, clock())
  const unlike = resourcesUnlike(entries, fold)
  const rows = fold.rows.flatMap((row) => {
    const resource = bases.get(row.resourceId)?.resource
    if (resource === undefined || unlike.has(row.resourceId)) return []
    return [{ ...row, resource, version: resource.version }]
  })
  if (rows.length === 0) return entries.map(() => null)
  const written = await touchReports(database, rows)
  trust.note(rows.length, rows.length - written.size)
  feed.sequencer.notifyPossibleWrite()
  for (const { resource, status, revision, count } of rows) {
    if (!written.has(rowKey(resource.id, status.adapter))) known.forget(resource.id)
    else known.repeated(resource.id, { ...status, revision: revision + count })
  }
  return fold.fates.map((fate) =>
    fate.type === 'stored' && written.has(fate.row) ? fate.status : null,
  )
}

function basesOf(
  entries: readonly BatchEntry[],
  known: KnownReports,
): ReadonlyMap<string, PartialBasis> {
  const adapters = new Map<string, string[]>()
  for (const { target, request } of entries) {
    const others = adapters.get(target.id) ?? []
    adapters.set(target.id, [...others, request.report.adapter])
  }
  const bases = new Map<string, PartialBasis>()
  for (const [id, reporting] of adapters) {
    const basis = known.of(id, reporting)
    if (basis !== null) bases.set(id, basis)
  }
  return bases
}

/** The resources of which a report does anything but repeat its row, or may do so. */
function resourcesUnlike(
  entries: readonly BatchEntry[],
  { fates, rows, doubtful }: Fold,
): ReadonlySet<string> {
  const unlike = new Set(doubtful)
  for (const [index, { target }] of entries.entries()) {
    if (fates[index]?.type !== 'stored') unlike.add(target.id)
  }
  for (const { resourceId, repeats } of rows) if (!repeats) unlike.add(resourceId)
  return unlike
}
