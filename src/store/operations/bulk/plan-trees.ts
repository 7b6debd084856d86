import { FlotillaError } from '../../../lib/errors.ts'
import { NO_OWNER, type Resource } from '../../model/resource.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { LockedResource } from '../../resources/lock-live.ts'
import { isStorableText } from '../../database/storable-text.ts'
import { parentNotFound } from '../read/require-parent.ts'
import { firstConditions, newResource } from '../write/new-resource.ts'
import {
  type Reference,
  referencesOf,
  rejectDeletedTargets,
  rejectMissingTargets,
} from '../write/references.ts'
import { nameTaken, parentBeingDeleted } from '../write/write-failures.ts'
import type { CreatedTree, TreeCreation } from './tree-creation.ts'

/** A resource to insert, with the targets that it depends on. */
interface PlannedResource {
  readonly kind: RegisteredKind
  readonly resource: Resource
  readonly references: readonly Reference[]
}

/** A tree to insert, or the reason why it cannot be inserted. */
export interface TreePlan {
  readonly tree: CreatedTree
  readonly root: PlannedResource
  readonly children: readonly PlannedResource[]
  readonly error: FlotillaError | null
}

/** Plans all trees. A name that an earlier resource of the list has is taken. */
export function planTrees(trees: readonly TreeCreation[], now: Date): readonly TreePlan[] {
  const names = new Set<string>()
  const isTaken = ({ tenant, kind, ownerId, name }: Resource): boolean => {
    const key = JSON.stringify([tenant, kind, ownerId, name])
    if (names.has(key)) return true
    names.add(key)
    return false
  }
  return trees.map((creation, index) => {
    const root = planned(creation.root.kind, newResource(now, creation.root))
    const { tenant, id: ownerId, requiredAdapters } = root.resource
    const children = creation.children.map((child) =>
      planned(child.kind, newResource(now, { requiredAdapters, ...child, tenant, ownerId })),
    )
    const created = children.map(({ resource }) => resource)
    const taken = [root.resource, ...created].find(isTaken)
    const error = taken ? nameTaken(taken) : null
    return { tree: { index, root: root.resource, children: created }, root, children, error }
  })
}

function planned(kind: RegisteredKind, resource: Resource): PlannedResource {
  return { kind, resource, references: referencesOf(kind, resource.refs) }
}

/** The ids of the existing resources that the trees depend on: parents and targets. */
export function dependenciesOf(plans: readonly TreePlan[]): readonly string[] {
  const ids = plans
    .filter(({ error }) => error === null)
    .flatMap(({ root, children }) => [
      root.resource.ownerId,
      ...[root, ...children].flatMap(({ references }) => references.map(({ id }) => id)),
    ])
  return [...new Set(ids)].filter((id) => id !== NO_OWNER && isStorableText(id))
}

/** The plan; with an error if a resource that it depends on is missing or being deleted. */
export function checkDependencies(
  plan: TreePlan,
  locked: ReadonlyMap<string, LockedResource>,
): TreePlan {
  if (plan.error !== null) return plan
  try {
    requireParent(plan.root, locked)
    for (const resource of [plan.root, ...plan.children]) requireTargets(resource, locked)
    return withParentAdapters(plan, locked)
  } catch (error) {
    if (error instanceof FlotillaError) return { ...plan, error }
    throw error
  }
}

function requireParent(
  { kind, resource: { tenant, ownerId } }: PlannedResource,
  locked: ReadonlyMap<string, LockedResource>,
): void {
  if (kind.parent === null) return
  const parent = locked.get(ownerId)
  if (parent === undefined || parent.kind !== kind.parent.kind || parent.tenant !== tenant) {
    throw parentNotFound(kind, ownerId)
  }
  if (!parent.live) throw parentBeingDeleted(kind, ownerId)
}

/** The adapters that the parent declares are required for its children. */
function withParentAdapters(plan: TreePlan, locked: ReadonlyMap<string, LockedResource>): TreePlan {
  const { tree, root } = plan
  const { kind, resource } = root
  const requiredAdapters = locked.get(resource.ownerId)?.required_adapters ?? null
  if (requiredAdapters === null || resource.requiredAdapters !== null) return plan
  const conditions = firstConditions(kind, requiredAdapters, resource.createdTime)
  const declared = { ...resource, requiredAdapters, conditions }
  return { ...plan, tree: { ...tree, root: declared }, root: { ...root, resource: declared } }
}

function requireTargets(
  { resource, references }: PlannedResource,
  locked: ReadonlyMap<string, LockedResource>,
): void {
  const found = references.flatMap(({ id }) => {
    const target = locked.get(id)
    return target?.tenant === resource.tenant ? [target] : []
  })
  rejectMissingTargets(references, found)
  rejectDeletedTargets(references, found)
}
