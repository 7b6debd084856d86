import { FlotillaError, notFound } from '../../lib/errors.ts'
import { retry } from '../../lib/retry.ts'
import type { Resource } from '../model/resource.ts'
import { reportTimeOf } from '../status/report-time-of.ts'
import { deleteResources } from '../storage/delete-resources.ts'
import { readTree } from '../storage/read-tree.ts'
import type { Standing } from '../storage/standing.ts'
import { type Context, WRITE_ATTEMPTS } from './context.ts'
import { ancestorsOf } from './finishing.ts'
import { planDeletion } from './plan-deletion.ts'
import { type Precondition, requireMatch } from './precondition.ts'
import { keyOf, type Target } from './read-resource.ts'
import { referencePatterns, refuseReferred } from './referrers.ts'
import { showExactTimes } from './show-exact-times.ts'

interface Request {
  readonly precondition: Precondition
  /** The caller's identity. */
  readonly actor: string
}

/**
 * Deletes a resource and all below it: each is marked, at its next generation, and stays until its
 * adapters have finalized it; what no adapter is required for goes at once. A resource that is
 * being deleted already is left as it is. CNF-003 where others refer to one of them. Returns the
 * resource as the deletion leaves it.
 */
export async function deleteResource(
  context: Context,
  target: Target,
  request: Request,
): Promise<Resource> {
  const deleted = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, target, request)),
  )
  if (deleted) return deleted
  throw new FlotillaError('CNF-002', `${target.kind.kind} with id='${target.id}' kept changing`)
}

/** Null where something in the tree changed between read and write. */
async function attempt(
  context: Context,
  target: Target,
  { precondition, actor }: Request,
): Promise<Resource | null> {
  const [root, ...descendants] = await readTree(context.database, keyOf(target))
  if (!root) throw notFound(target.kind.kind, target.id)
  requireMatch(precondition, root.resource)
  if (root.resource.deletedTime !== null) return shown(target, root.resource, root)
  const { database, registry } = context
  const tree = [root, ...descendants] as const
  const now = context.clock()
  const plan = planDeletion(registry, tree, { actor, now })
  const patterns = referencePatterns(registry, tree)
  if (patterns.length > 0) await refuseReferred(database, tree, patterns)
  const goes = plan.doomed.includes(root.resource)
  const done = await deleteResources(database, {
    kept: plan.kept,
    doomed: plan.doomed,
    ancestors: goes ? await ancestorsOf(context, root.resource.id) : [],
    tree: tree.map(({ resource }) => resource.id),
    referencePatterns: patterns,
    now,
    actor,
  })
  return done ? shown(target, plan.root, root) : null
}

function shown({ kind }: Target, resource: Resource, { states }: Standing): Resource {
  return showExactTimes(kind, resource, states.map(reportTimeOf))
}
