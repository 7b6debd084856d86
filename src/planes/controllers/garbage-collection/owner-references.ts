import type { ApiObject, OwnerReference } from '../../model/api-object.ts'

/** The object waits until the objects that it blocks on are deleted. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion'
/** The object waits until its dependents no longer name it as their owner. */
export const ORPHAN_FINALIZER = 'orphan'

/** The owners of an object. */
export function ownersOf({ metadata }: ApiObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? []
}

export function isTerminating({ metadata }: ApiObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

export function hasFinalizer({ metadata }: ApiObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false
}

/** Whether the object is deleted after its dependents, and its deletion has begun. */
export function isDeletingDependents(object: ApiObject): boolean {
  return isTerminating(object) && hasFinalizer(object, FOREGROUND_FINALIZER)
}

/** An object that can own others. */
export interface Owner {
  readonly uid: string
  /** Empty for cluster-scoped owners. */
  readonly namespace: string
}

/**
 * Whether an object names the owner. An owner with a namespace owns objects of its namespace only;
 * references from elsewhere are invalid.
 */
export function isDependentOf(dependent: ApiObject, { uid, namespace }: Owner): boolean {
  if (namespace !== '' && dependent.metadata.namespace !== namespace) return false
  return ownersOf(dependent).some((reference) => reference.uid === uid)
}

/** Whether the deletion of the owner in the foreground waits for this dependent. */
export function isBlocking(dependent: ApiObject, owner: Owner): boolean {
  return (
    isDependentOf(dependent, owner) &&
    ownersOf(dependent).some(
      ({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true,
    )
  )
}

/** The references to other owners. */
export function withoutOwners(
  references: readonly OwnerReference[],
  uids: ReadonlySet<string>,
): readonly OwnerReference[] {
  return references.filter(({ uid }) => !uids.has(uid))
}

/** The references, so that none of the owners waits for the object. */
export function unblocking(references: readonly OwnerReference[]): readonly OwnerReference[] {
  return references.map((reference) =>
    reference.blockOwnerDeletion === true ? { ...reference, blockOwnerDeletion: false } : reference,
  )
}
