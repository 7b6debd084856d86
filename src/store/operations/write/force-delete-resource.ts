import type { Caller } from '../../../access/principal.ts'
import type { Resource } from '../../model/resource.ts'
import { FlotillaError, notFound } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import { forceDelete } from '../../resources/delete/force-delete.ts'
import { readTree } from '../../resources/read-tree.ts'
import { type Context, WRITE_ATTEMPTS } from '../context.ts'
import { ancestorsOf } from './finishing.ts'
import { rejectUndeclaredKinds } from './plan-deletion.ts'
import { type Precondition, requireMatch } from './precondition.ts'
import { keptChanging } from './write-failures.ts'
import { keyOf, type Target } from '../read/read-resource.ts'

interface Request {
  readonly precondition: Precondition
  /** Recorded with the removal. */
  readonly reason: string
  readonly caller: Pick<Caller, 'user'>
}

/**
 * Removes a resource that is being deleted, and its descendants, without waiting for adapters.
 * Returns the last state of the resource. Fails with `state-conflict` if the resource is
 * not being deleted: callers must DELETE it first.
 */
export async function forceDeleteResource(
  context: Context,
  target: Target,
  request: Request,
): Promise<Resource> {
  const removed = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, target, request)),
  )
  if (removed === null) throw keptChanging(target)
  context.feed.sequencer.notifyWrite()
  return removed
}

/** The removed resource; null if the subtree changed between read and write. */
async function attempt(
  context: Context,
  target: Target,
  { precondition, reason, caller }: Request,
): Promise<Resource | null> {
  const [first, ...descendants] = await readTree(context.database, keyOf(target))
  if (!first) throw notFound(target.kind.kind, target.id)
  const root = first.resource
  requireMatch(precondition, root)
  if (root.deletedTime === null) throw notDeleted(target)
  const tree = [first, ...descendants] as const
  rejectUndeclaredKinds(context.registry, tree)
  const isDone = await forceDelete(context.database, {
    root,
    removed: tree.map(({ resource }) => resource),
    ancestors: await ancestorsOf(context, root.id),
    reason,
    actor: caller.user,
    now: context.clock(),
  })
  return isDone ? root : null
}

function notDeleted({ kind, id }: Target): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    `${kind.kind} with id='${id}' is not being deleted: DELETE it before it is force-deleted`,
  )
}
