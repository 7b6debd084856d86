import type { Caller } from '../../../access/principal.ts'
import { notFound } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { Resource } from '../../model/resource.ts'
import { reportTimeOf } from '../../model/status-record.ts'
import { deleteResources } from '../../resources/delete/delete-resources.ts'
import { lockTree } from '../../resources/tree.ts'
import { readTree } from '../../resources/read-tree.ts'
import { removeResources } from '../../resources/delete/remove-resources.ts'
import type { ResourceWithReports } from '../../resources/resource-with-reports.ts'
import { type Context, WRITE_ATTEMPTS } from '../context.ts'
import { ancestorsOf, isFinished } from './finishing.ts'
import { planDeletion } from './plan-deletion.ts'
import { type Precondition, requireMatch } from './precondition.ts'
import { keptChanging } from './write-failures.ts'
import { keyOf, type Target } from '../read/read-resource.ts'
import { referencePatterns, rejectReferrers } from './referrers.ts'
import { showExactTimes } from '../read/show-exact-times.ts'

/** Attempts without a lock between read and write, before the operation locks the subtree first. */
const OPTIMISTIC_ATTEMPTS = 4

interface Request {
  readonly precondition: Precondition
  readonly caller: Pick<Caller, 'user'>
}

/**
 * Deletes a resource and its descendants. Each is marked as deleted, at its next generation, and
 * stays until its adapters have finalized it. A resource without required adapters is removed now.
 * A resource that is already being deleted does not change. Fails with `state-conflict` if other
 * resources refer to one of them. Returns the resource after the deletion.
 */
export async function deleteResource(
  context: Context,
  target: Target,
  request: Request,
): Promise<Resource> {
  const deleted = await context.writes.run(target.id, async () => {
    const optimistically = () => attempt(context, target, request)
    return (
      (await retry(OPTIMISTIC_ATTEMPTS, null, optimistically)) ??
      (await lockFirst(context, target, request))
    )
  })
  if (!deleted) throw keptChanging(target)
  context.feed.sequencer.notifyWrite()
  return deleted
}

/**
 * For subtrees under constant writes: the larger a subtree, the likelier a change between read and
 * write.
 */
function lockFirst(context: Context, target: Target, request: Request): Promise<Resource | null> {
  return retry(WRITE_ATTEMPTS, null, () =>
    context.database.transaction(async (database) => {
      await lockTree(database, keyOf(target))
      return attempt({ ...context, database }, target, request)
    }),
  )
}

/** Null if the subtree changed between read and write. */
async function attempt(
  context: Context,
  target: Target,
  { precondition, caller }: Request,
): Promise<Resource | null> {
  const [root, ...descendants] = await readTree(context.database, keyOf(target))
  if (!root) throw notFound(target.kind.kind, target.id)
  requireMatch(precondition, root.resource)
  const { database, registry } = context
  const tree = [root, ...descendants] as const
  if (root.resource.deletedTime !== null) {
    return (await finishLeftOver(context, tree)) ? shown(target, root.resource, root) : null
  }
  const now = context.clock()
  const plan = planDeletion(registry, tree, { caller, now })
  const patterns = referencePatterns(registry, tree)
  if (patterns.length > 0) await rejectReferrers(database, tree, patterns)
  const rootIsRemoved = plan.removed.includes(root.resource)
  const done = await deleteResources(database, {
    kept: plan.kept,
    removed: plan.removed,
    ancestors: rootIsRemoved ? await ancestorsOf(context, root.resource.id) : [],
    tree: tree.map(({ resource }) => resource.id),
    referencePatterns: patterns,
    awaitingChildren: plan.awaitingChildren,
    now,
    actor: caller.user,
  })
  return done ? shown(target, plan.root, root) : null
}

function shown({ kind }: Target, resource: Resource, { states }: ResourceWithReports): Resource {
  return showExactTimes(kind, resource, states.map(reportTimeOf))
}

/**
 * Removes a deleted resource that no longer waits for an adapter, because its kind now requires
 * fewer adapters than at its deletion. False if it changed since it was read.
 */
async function finishLeftOver(
  context: Context,
  [root, ...descendants]: readonly [ResourceWithReports, ...ResourceWithReports[]],
): Promise<boolean> {
  const { resource, states } = root
  if (descendants.length > 0 || !isFinished(context.registry, resource, states)) return true
  const ancestors = await ancestorsOf(context, resource.id)
  return removeResources(context.database, { removed: [resource], ancestors })
}
