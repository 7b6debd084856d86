import { notFound } from '../lib/errors.ts'
import { isStorableText } from '../store/database/storable-text.ts'
import type { HistoryRow } from './storage/history-row.ts'
import { type HistoryPosition, readHistory } from './storage/read-history.ts'
import type { Context } from '../store/operations/context.ts'
import { isTarget, type Target } from '../store/operations/read/read-resource.ts'
import type { Representation } from '../store/operations/read/representation.ts'

interface Query {
  /** The end of the previous page; null for the newest entries. */
  readonly before: HistoryPosition | null
  readonly limit: number
  readonly representation: Representation
}

/** A page of the history of a resource, newest first. */
interface HistoryPage {
  readonly rows: readonly HistoryRow[]
  /** Null on the last page. */
  readonly next: HistoryPosition | null
  /** Whether the history contains the creation of the resource, and has lost no change since. */
  readonly isComplete: boolean
}

/**
 * Lists the history of a resource, including one that has been removed. `not-found` if neither the
 * resource nor its history exists in the tenant and under the parent.
 */
export async function listHistory(
  context: Context,
  target: Target,
  { before, limit, representation }: Query,
): Promise<HistoryPage> {
  const { id, kind } = target
  if (!isStorableText(id)) throw notFound(kind.kind, id)
  const { rows, hasMore, isComplete } = await readHistory(context.database, { id, before, limit })
  const found = await context.reader.one(id, representation)
  const isKnown = found
    ? isTarget(target, found)
    : isTargetOf(target, rows.length > 0 ? rows : await newestRow(context, id))
  if (!isKnown) throw notFound(kind.kind, id)
  const last = rows.at(-1)
  const next = last && hasMore ? { position: last.position, revision: last.revision } : null
  return { rows, next, isComplete }
}

/** Whether rows belong to a resource that has been removed. */
function isTargetOf(target: Target, rows: readonly HistoryRow[]): boolean {
  return rows.some(({ kind, tenant, owner_id: ownerId }) => {
    return isTarget(target, { kind, tenant, ownerId })
  })
}

/** A page behind the oldest row has no rows itself. */
async function newestRow({ database }: Context, id: string): Promise<readonly HistoryRow[]> {
  return (await readHistory(database, { id, before: null, limit: 1 })).rows
}
