import type { KubeObject } from '../../kube/kube-object.ts'
import type { PlaneKind } from '../../kube/plane-kind.ts'
import { groupBy } from './group-by.ts'

/** An object of a plane and its kind. */
export interface OwnedObject {
  readonly kind: PlaneKind
  readonly object: KubeObject
}

/** An object with the objects that it owns. */
export interface OwnerNode extends OwnedObject {
  readonly owned: readonly OwnerNode[]
}

/**
 * The objects below their owners. An object is at the top if none of its owners is among the
 * objects; of several owners, the first one has it. Every object appears once, also in a cycle.
 */
export function ownerTree(objects: readonly OwnedObject[]): readonly OwnerNode[] {
  const uids = new Set(objects.map(({ object }) => object.metadata.uid))
  const byOwner = groupBy(objects, ({ object: { metadata } }) => {
    const owners = (metadata.ownerReferences ?? []).map(({ uid }) => uid)
    return owners.find((uid) => uid !== undefined && uid !== metadata.uid && uids.has(uid)) ?? null
  })
  const placed = new Set<OwnedObject>()
  const nodeOf = (owned: OwnedObject): OwnerNode => {
    placed.add(owned)
    const { uid } = owned.object.metadata
    const below = uid === undefined ? [] : (byOwner.get(uid) ?? [])
    const nodes: OwnerNode[] = []
    for (const one of below) if (!placed.has(one)) nodes.push(nodeOf(one))
    return { ...owned, owned: nodes }
  }
  const roots = (byOwner.get(null) ?? []).map(nodeOf)
  for (const one of objects) if (!placed.has(one)) roots.push(nodeOf(one))
  return roots
}
