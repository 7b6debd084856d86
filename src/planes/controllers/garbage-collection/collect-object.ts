import type { OwnerReference } from '../../model/api-object.ts'
import { isConflict, isObjectNotFound } from '../client/api-failures.ts'
import type { FleetClient } from '../client/fleet-client.ts'
import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import { type ClassifiedOwners, classifyOwners } from './classify-owners.ts'
import {
  FOREGROUND_FINALIZER,
  hasFinalizer,
  isDeletingDependents,
  isDependentOf,
  isTerminating,
  ORPHAN_FINALIZER,
  ownersOf,
  unblocking,
  withoutOwners,
} from './owner-references.ts'
import { deleteVersion, type LiveObject, readLive, writeOwners } from './plane-objects.ts'

/** Attempts per run. Frequent updates of an object must not delay its collection forever. */
const ATTEMPTS = 5

/** The result of a check of an object's owners. */
export type CollectionResult =
  | { readonly outcome: 'gone' | 'terminating' | 'deleted' }
  | { readonly outcome: 'kept'; readonly uid: string; readonly owners: readonly OwnerReference[] }
  /** The absent owners of this object are in other namespaces or unknown. */
  | { readonly outcome: 'unresolved'; readonly owners: readonly OwnerReference[] }

interface Context {
  readonly fleet: FleetClient
  /** Receives the references of an object whose owners do not exist. */
  readonly onAbsentOwners: (live: LiveObject, absent: readonly OwnerReference[]) => Promise<void>
}

/**
 * Deletes an object that had owners and has none left. Removes references to absent owners from
 * an object that still has another one.
 */
export async function collectObject(context: Context, key: ObjectKey): Promise<CollectionResult> {
  for (let attempt = 1; ; attempt += 1) {
    const live = await readLive(context.fleet, key)
    if (live === null) return { outcome: 'gone' }
    if (isTerminating(live.object)) return { outcome: 'terminating' }
    try {
      return await collectLive(context, live)
    } catch (error) {
      if (isObjectNotFound(error, key.name)) return { outcome: 'gone' }
      if (attempt >= ATTEMPTS || !isConflict(error)) throw error
    }
  }
}

async function collectLive(context: Context, live: LiveObject): Promise<CollectionResult> {
  const { client, object } = live
  const owners = ownersOf(object)
  const uid = object.metadata.uid ?? ''
  if (owners.length === 0) return { outcome: 'kept', uid, owners }
  const classified = await classifyOwners(live, owners, await client.resources())
  if (classified.unresolved.length > 0) {
    return { outcome: 'unresolved', owners: classified.unresolved }
  }
  if (classified.absent.length > 0) await context.onAbsentOwners(live, classified.absent)
  if (classified.solid.length > 0) {
    const kept = await removeOtherOwners(live, classified)
    return { outcome: 'kept', uid, owners: kept }
  }
  if (classified.waiting.length > 0) return deleteForWaitingOwner(context, live)
  await deleteVersion(live, policyOf(live))
  return { outcome: 'deleted' }
}

async function removeOtherOwners(
  live: LiveObject,
  { absent, waiting }: ClassifiedOwners,
): Promise<readonly OwnerReference[]> {
  const owners = ownersOf(live.object)
  if (absent.length + waiting.length === 0) return owners
  const removed = new Set([...absent, ...waiting].map(({ uid }) => uid))
  const kept = withoutOwners(owners, removed)
  await writeOwners(live, kept)
  return kept
}

/** An object with dependents is deleted after them, as its owner is. */
async function deleteForWaitingOwner(
  { fleet }: Context,
  live: LiveObject,
): Promise<CollectionResult> {
  const { key, object } = live
  const owner = { uid: object.metadata.uid ?? '', namespace: key.namespace }
  let hasDependents = false
  let isCycle = false
  for await (const page of fleet.scan({ plane: key.plane, ownerUid: owner.uid })) {
    const dependents = page
      .map((each) => each.object())
      .filter((each) => isDependentOf(each, owner))
    hasDependents ||= dependents.length > 0
    isCycle ||= dependents.some(isDeletingDependents)
    if (isCycle) break
  }
  const isBlockingOwners = ownersOf(object).some((each) => each.blockOwnerDeletion === true)
  if (isCycle && isBlockingOwners) {
    // Objects that own each other would wait for each other forever.
    await writeOwners(live, unblocking(ownersOf(object)))
    const unblocked = await readLive(fleet, key)
    if (unblocked === null || unblocked.object.metadata.uid !== owner.uid)
      return { outcome: 'gone' }
    await deleteVersion(unblocked, 'Foreground')
    return { outcome: 'deleted' }
  }
  await deleteVersion(live, hasDependents ? 'Foreground' : policyOf(live))
  return { outcome: 'deleted' }
}

/** A policy that was chosen before stays in effect. */
function policyOf({ object }: LiveObject): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(object, ORPHAN_FINALIZER)) return 'Orphan'
  return hasFinalizer(object, FOREGROUND_FINALIZER) ? 'Foreground' : 'Background'
}
