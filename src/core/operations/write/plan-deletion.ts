import type { Caller } from '../../auth/principal.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import type { Resource } from '../../model/resource.ts'
import type { Registry } from '../../registry/registry.ts'
import type { ResourceWithReports } from '../../storage/resources/resource-with-reports.ts'
import { isFinalized } from './finishing.ts'
import { nameSome } from './name-some.ts'

/** Who deletes, and when. */
interface Deleter {
  readonly caller: Pick<Caller, 'user'>
  readonly now: Date
}

export interface DeletionPlan {
  /** What stays until its adapters have finalized it; parents before their children. */
  readonly kept: readonly { readonly before: Resource; readonly after: Resource }[]
  /** What goes at once: no adapter has to finalize it (any more), and nothing below it stays. */
  readonly doomed: readonly Resource[]
  /** Ids of the kept that no adapter has to finalize: they go with their last child. */
  readonly awaitingChildren: readonly string[]
  /** The root as it is after the deletion, also where it goes at once. */
  readonly root: Resource
}

/**
 * What deleting the first of the tree comes to; the tree has parents before their children.
 * `state-conflict` where a child of a kind that restricts is not being deleted yet.
 */
export function planDeletion(
  registry: Registry,
  tree: readonly [ResourceWithReports, ...ResourceWithReports[]],
  deleter: Deleter,
): DeletionPlan {
  refuseUndeclared(registry, tree)
  refuseRestricting(registry, tree)
  const unfinished = new Set(
    tree.filter((one) => !isDone(registry, one)).map(({ resource }) => resource.id),
  )
  const staying = withParents(tree, unfinished)
  const marked = tree
    .filter(({ resource }) => resource.deletedTime === null)
    .map((standing) => ({
      before: standing.resource,
      after: deleted(registry, standing, deleter),
    }))
  return {
    kept: marked.filter(({ before }) => staying.has(before.id)),
    doomed: tree.map(({ resource }) => resource).filter(({ id }) => !staying.has(id)),
    awaitingChildren: marked
      .map(({ before }) => before.id)
      .filter((id) => staying.has(id) && !unfinished.has(id)),
    root: marked.find(({ before }) => before === tree[0].resource)?.after ?? tree[0].resource,
  }
}

/** Nobody can say what becomes of resources of a kind that is not declared (any more). */
export function refuseUndeclared(
  registry: Registry,
  [root, ...descendants]: readonly [ResourceWithReports, ...ResourceWithReports[]],
): void {
  const declared = new Set(registry.kinds.map(({ kind }) => kind))
  const unknown = descendants
    .map(({ resource }) => resource)
    .filter(({ kind }) => !declared.has(kind))
  refuse(root.resource, unknown, 'children of kinds that this server does not declare')
}

function refuseRestricting(
  registry: Registry,
  [root, ...descendants]: readonly [ResourceWithReports, ...ResourceWithReports[]],
): void {
  const blocking = descendants
    .map(({ resource }) => resource)
    .filter(({ kind, deletedTime }) => {
      return deletedTime === null && registry.byName(kind).parent?.onDelete === 'restrict'
    })
  refuse(root.resource, blocking, 'children that must be deleted first')
}

function refuse({ kind, id }: Resource, blocking: readonly Resource[], what: string): void {
  if (blocking.length === 0) return
  const detail = `${kind} with id='${id}' has ${what}: ${nameSome(blocking)}`
  throw new FlotillaError('state-conflict', detail)
}

/** Whether no adapter has to finalize a resource (any more), once it is deleted. */
function isDone(registry: Registry, { resource, states }: ResourceWithReports): boolean {
  const { kind, deletedTime } = resource
  const generation = resource.generation + (deletedTime === null ? 1 : 0)
  return isFinalized(registry.byName(kind), generation, states)
}

/** These and all above them: a parent stays as long as a child does. */
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
