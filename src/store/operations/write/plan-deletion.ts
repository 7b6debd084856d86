import type { Caller } from '../../../access/principal.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import type { Resource } from '../../model/resource.ts'
import type { Registry } from '../../registry/registry.ts'
import type { ResourceWithReports } from '../../resources/resource-with-reports.ts'
import { isFinalized } from './finishing.ts'
import { nameSome } from './name-some.ts'

/** The caller and the time of the deletion. */
interface Deleter {
  readonly caller: Pick<Caller, 'user'>
  readonly now: Date
}

export interface DeletionPlan {
  /** Resources that stay until their adapters have finalized them, parents before children. */
  readonly kept: readonly { readonly before: Resource; readonly after: Resource }[]
  /** Resources to remove now: no adapter has to finalize them, and no descendant stays. */
  readonly removed: readonly Resource[]
  /**
   * IDs of kept resources that no adapter has to finalize: they are removed with their last child.
   */
  readonly awaitingChildren: readonly string[]
  /** The root after the deletion, even if it is removed now. */
  readonly root: Resource
}

/**
 * Plans the deletion of a subtree, given with parents before children. Fails with `state-conflict`
 * if a child that restricts deletion is not being deleted.
 */
export function planDeletion(
  registry: Registry,
  tree: readonly [ResourceWithReports, ...ResourceWithReports[]],
  deleter: Deleter,
): DeletionPlan {
  rejectUndeclaredKinds(registry, tree)
  rejectRestrictingChildren(registry, tree)
  const unfinished = new Set(
    tree.filter((one) => !isDone(registry, one, deleter.now)).map(({ resource }) => resource.id),
  )
  const staying = withParents(tree, unfinished)
  const marked = tree
    .filter(({ resource }) => resource.deletedTime === null)
    .map((entry) => ({
      before: entry.resource,
      after: deleted(registry, entry, deleter),
    }))
  return {
    kept: marked.filter(({ before }) => staying.has(before.id)),
    removed: tree.map(({ resource }) => resource).filter(({ id }) => !staying.has(id)),
    awaitingChildren: marked
      .map(({ before }) => before.id)
      .filter((id) => staying.has(id) && !unfinished.has(id)),
    root: marked.find(({ before }) => before === tree[0].resource)?.after ?? tree[0].resource,
  }
}

/** Rejects descendants of undeclared kinds: the server does not know their rules. */
export function rejectUndeclaredKinds(
  registry: Registry,
  [root, ...descendants]: readonly [ResourceWithReports, ...ResourceWithReports[]],
): void {
  const declared = new Set(registry.kinds.map(({ kind }) => kind))
  const unknown = descendants
    .map(({ resource }) => resource)
    .filter(({ kind }) => !declared.has(kind))
  reject(root.resource, unknown, 'children of kinds that this server does not declare')
}

function rejectRestrictingChildren(
  registry: Registry,
  [root, ...descendants]: readonly [ResourceWithReports, ...ResourceWithReports[]],
): void {
  const blocking = descendants
    .map(({ resource }) => resource)
    .filter(({ kind, deletedTime }) => {
      return deletedTime === null && registry.byName(kind).parent?.onDelete === 'restrict'
    })
  reject(root.resource, blocking, 'children that must be deleted first')
}

function reject({ kind, id }: Resource, blocking: readonly Resource[], what: string): void {
  if (blocking.length === 0) return
  const detail = `${kind} with id='${id}' has ${what}: ${nameSome(blocking)}`
  throw new FlotillaError('state-conflict', detail)
}

/** Whether no adapter has to finalize the resource once it is deleted. */
function isDone(registry: Registry, { resource, states }: ResourceWithReports, now: Date): boolean {
  const { kind, deletedTime, generation, requiredAdapters } = resource
  const after = {
    requiredAdapters,
    generation: generation + (deletedTime === null ? 1 : 0),
    deletedTime: deletedTime ?? now,
  }
  return isFinalized(registry.byName(kind), after, states)
}

/** These resources and their ancestors: a parent stays as long as one of its children does. */
function withParents(
  tree: readonly ResourceWithReports[],
  ids: ReadonlySet<string>,
): ReadonlySet<string> {
  const staying = new Set(ids)
  for (const { resource } of tree.toReversed()) {
    if (staying.has(resource.id)) staying.add(resource.ownerId)
  }
  return staying
}

function deleted(
  registry: Registry,
  { resource, states }: ResourceWithReports,
  { caller, now }: Deleter,
): Resource {
  const next: Resource = {
    ...resource,
    generation: resource.generation + 1,
    version: resource.version + 1n,
    updatedTime: now,
    updatedBy: caller.user,
    deletedTime: now,
    deletedBy: caller.user,
  }
  const conditions = registry
    .byName(resource.kind)
    .statusHooks?.conditionsAfter({ type: 'delete', resource: next, records: states }, now)
  return { ...next, conditions: conditions ?? [] }
}
