import { FlotillaError } from '../../../lib/errors.ts'
import { reportTimeOf } from '../../model/status-record.ts'
import type { Caller } from '../../../access/principal.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Database } from '../../database/database.ts'
import { readReferrers } from '../../references/read-referrers.ts'
import type { Deletion } from '../../resources/delete/delete-resources.ts'
import type { Tree } from '../../resources/trees.ts'
import { isFinished } from '../write/finishing.ts'
import { type DeletionPlan, planDeletion } from '../write/plan-deletion.ts'
import { referencePatterns, rejectReferrers } from '../write/referrers.ts'
import { showExactTimes } from '../read/show-exact-times.ts'
import type { DeleteOutcome } from './delete-outcome.ts'

interface Reader {
  readonly database: Database
  readonly registry: Registry
}

interface Deleter {
  readonly caller: Pick<Caller, 'user'>
  readonly now: Date
}

/** The writes of all trees together, and the outcome of each tree by its root's id. */
interface TreeDeletions {
  readonly deletion: Omit<Deletion, 'now' | 'actor'>
  readonly outcomes: ReadonlyMap<string, DeleteOutcome>
}

/** The deletion of one tree. */
interface TreeDeletion {
  readonly tree: Tree
  readonly plan: DeletionPlan
}

/** Plans the deletion of root trees. A tree that cannot be deleted does not affect the others. */
export async function planTreeDeletions(
  reader: Reader,
  trees: ReadonlyMap<string, Tree>,
  deleter: Deleter,
): Promise<TreeDeletions> {
  const outcomes = new Map<string, DeleteOutcome>()
  const planned: TreeDeletion[] = []
  for (const [id, tree] of trees) {
    const plan = unlessFailed(() => planOf(reader.registry, tree, deleter))
    if (plan instanceof FlotillaError) outcomes.set(id, { status: 'failed', error: plan })
    else planned.push({ tree, plan })
  }
  const failed = await findReferred(reader, planned)
  const kept = planned.filter(({ tree }) => !failed.has(tree[0].resource.id))
  for (const [id, error] of failed) outcomes.set(id, { status: 'failed', error })
  for (const { tree, plan } of kept) {
    outcomes.set(tree[0].resource.id, deletedOutcome(reader.registry, tree, plan))
  }
  return { deletion: together(reader.registry, kept), outcomes }
}

function planOf(registry: Registry, tree: Tree, deleter: Deleter): DeletionPlan {
  const [{ resource, states }, ...descendants] = tree
  if (resource.deletedTime === null) return planDeletion(registry, tree, deleter)
  // A root that is being deleted changes only if its kind now requires fewer adapters.
  const isLeftOver = descendants.length === 0 && isFinished(registry, resource, states)
  return { kept: [], removed: isLeftOver ? [resource] : [], awaitingChildren: [], root: resource }
}

/** The errors of trees that resources outside all these trees refer to, by the root's id. */
async function findReferred(
  { database, registry }: Reader,
  planned: readonly TreeDeletion[],
): Promise<ReadonlyMap<string, FlotillaError>> {
  const failed = new Map<string, FlotillaError>()
  const all = planned.flatMap(({ tree }) => tree)
  const patterns = referencePatterns(registry, all)
  if (patterns.length === 0) return failed
  const except = all.map(({ resource }) => resource.id)
  const { total } = await readReferrers(database, { patterns, except, limit: 1 })
  if (total === 0) return failed
  for (const { tree, plan } of planned) {
    if (plan.kept.length + plan.removed.length === 0) continue
    try {
      await rejectReferrers(database, tree, referencePatterns(registry, tree))
    } catch (error) {
      if (!(error instanceof FlotillaError)) throw error
      failed.set(tree[0].resource.id, error)
    }
  }
  return failed
}

function together(
  registry: Registry,
  deletions: readonly TreeDeletion[],
): Omit<Deletion, 'now' | 'actor'> {
  const changed = deletions.filter(({ plan }) => plan.kept.length + plan.removed.length > 0)
  const trees = changed.flatMap(({ tree }) => tree)
  return {
    kept: changed.flatMap(({ plan }) => plan.kept),
    removed: changed.flatMap(({ plan }) => plan.removed),
    ancestors: [],
    tree: trees.map(({ resource }) => resource.id),
    referencePatterns: referencePatterns(registry, trees),
    awaitingChildren: changed.flatMap(({ plan }) => plan.awaitingChildren),
  }
}

function deletedOutcome(
  registry: Registry,
  [{ resource, states }]: Tree,
  { root }: DeletionPlan,
): DeleteOutcome {
  const kind = registry.byName(resource.kind)
  const times = states.map(reportTimeOf)
  return { status: 'deleted', resource: showExactTimes(kind, root, times) }
}

function unlessFailed<T>(plan: () => T): T | FlotillaError {
  try {
    return plan()
  } catch (error) {
    if (error instanceof FlotillaError) return error
    throw error
  }
}
