import type { FleetClient } from '../client/fleet-client.ts'
import { isConflict } from '../client/api-failures.ts'
import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import { must } from '../../../lib/assert.ts'
import {
  FOREGROUND_FINALIZER,
  hasFinalizer,
  isBlocking,
  isDependentOf,
  isTerminating,
  ORPHAN_FINALIZER,
  type Owner,
  ownersOf,
  withoutOwners,
} from './owner-references.ts'
import { type LiveObject, readLive, removeFinalizer, writeOwners } from './plane-objects.ts'

interface Context {
  readonly fleet: FleetClient
  /** Collects the dependents of an owner that waits for their deletion. */
  readonly collect: (dependents: readonly ObjectKey[]) => Promise<void>
}

/** `waiting` if objects that block the deletion still exist. */
export type OwnerResult =
  | { readonly status: 'done' }
  | { readonly status: 'waiting'; readonly uid: string }

const DONE: OwnerResult = { status: 'done' }

/**
 * Continues the deletion of an owner that waits for its dependents: orphans them, or deletes them
 * first.
 */
export async function finishOwner(context: Context, key: ObjectKey): Promise<OwnerResult> {
  const live = await readLive(context.fleet, key)
  if (live === null || !isTerminating(live.object)) return DONE
  if (hasFinalizer(live.object, ORPHAN_FINALIZER)) {
    await orphanDependents(context, live)
    return DONE
  }
  if (!hasFinalizer(live.object, FOREGROUND_FINALIZER)) return DONE
  const owner = ownerOf(live)
  await deleteDependents(context, key.plane, owner)
  if (await hasBlockingDependents(context, key.plane, owner)) {
    return { status: 'waiting', uid: owner.uid }
  }
  await removeFinalizer(live, FOREGROUND_FINALIZER)
  return DONE
}

async function deleteDependents(context: Context, plane: string, owner: Owner): Promise<void> {
  for await (const page of context.fleet.scan({ plane, ownerUid: owner.uid })) {
    await context.collect(
      page.filter((each) => {
        const object = each.object()
        return isDependentOf(object, owner) && !isTerminating(object)
      }),
    )
  }
}

async function hasBlockingDependents(
  { fleet }: Context,
  plane: string,
  owner: Owner,
): Promise<boolean> {
  for await (const page of fleet.scan({ plane, ownerUid: owner.uid })) {
    if (page.some((each) => isBlocking(each.object(), owner))) return true
  }
  return false
}

/** The finalizer remains until no dependent names the owner. */
async function orphanDependents({ fleet }: Context, live: LiveObject): Promise<void> {
  const owner = ownerOf(live)
  for await (const page of fleet.scan({ plane: live.key.plane, ownerUid: owner.uid })) {
    for (const dependent of page) {
      if (isDependentOf(dependent.object(), owner)) await orphan(fleet, dependent, owner)
    }
  }
  await removeFinalizer(live, ORPHAN_FINALIZER)
}

const ATTEMPTS = 5

async function orphan(fleet: FleetClient, key: ObjectKey, owner: Owner): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const dependent = await readLive(fleet, key)
    if (dependent === null || !isDependentOf(dependent.object, owner)) return
    try {
      const removed = new Set([owner.uid])
      return await writeOwners(dependent, withoutOwners(ownersOf(dependent.object), removed))
    } catch (error) {
      if (attempt >= ATTEMPTS || !isConflict(error)) throw error
    }
  }
}

function ownerOf({ key, object }: LiveObject): Owner {
  return { uid: must(object.metadata.uid, 'the uid of an owner'), namespace: key.namespace }
}
