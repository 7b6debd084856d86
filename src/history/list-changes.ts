import { notFound } from '../lib/errors.ts'
import { type ResourceVersion, resourceVersionExpired } from '../store/feed/resource-version.ts'
import { isStorableText } from '../store/database/storable-text.ts'
import type { DetailedChange } from '../store/changes/logged-change.ts'
import { readResourceChanges } from '../store/changes/read-resource-changes.ts'
import type { Context } from '../store/operations/context.ts'
import { isTarget, type Target } from '../store/operations/read/read-resource.ts'
import type { Representation } from '../store/operations/read/representation.ts'
import { combineReports } from './combine-reports.ts'
import type { HistoryEntry } from './history-entry.ts'

interface Query {
  /** The end of the previous page; null for the newest changes. */
  readonly before: ResourceVersion | null
  readonly limit: number
  readonly representation: Representation
  /** The condition that exposes an adapter. */
  readonly typeOfAdapter: (adapter: string) => string
}

/** The last changes of a resource, newest first. */
export interface ChangePage {
  readonly epoch: string
  readonly entries: readonly HistoryEntry<DetailedChange>[]
  /** Null on the last page. */
  readonly next: ResourceVersion | null
  /** Whether the log contains the creation of the resource. */
  readonly isComplete: boolean
}

/**
 * Lists the changes of a resource that the log still contains, also of one that has been removed.
 * `not-found` if neither the resource nor the log has it in the tenant and under the parent, and
 * `expired` if the previous page is of another epoch.
 */
export async function listChanges(
  context: Context,
  target: Target,
  { before, limit, representation, typeOfAdapter }: Query,
): Promise<ChangePage> {
  const { id } = target
  if (!isStorableText(id)) throw notFound(target.kind.kind, id)
  // An entry has at most two rows. One more row shows whether the last entry is whole.
  const log = await readResourceChanges(context.database, {
    id,
    before: before?.revision ?? null,
    limit: 2 * limit + 1,
  })
  const { epoch, changes, isComplete } = log
  const found = await context.reader.one(id, representation)
  if (!(found && isTarget(target, found)) && !changes.some((row) => isOf(target, row))) {
    throw notFound(target.kind.kind, id)
  }
  if (before !== null && before.epoch !== epoch) throw resourceVersionExpired()
  const all = combineReports(changes, typeOfAdapter)
  const entries = all.slice(0, limit)
  const last = entries.at(-1)
  const hasMore = log.hasMore || all.length > limit
  const next = last && hasMore ? { epoch, revision: last.oldestRevision } : null
  return { epoch, entries, next, isComplete }
}

/** Whether a row is of a target that has been removed. */
function isOf(target: Target, { kind, tenant, owner_id: ownerId }: DetailedChange): boolean {
  if (kind === null || tenant === null || ownerId === null) return false
  return isTarget(target, { kind, tenant, ownerId })
}
