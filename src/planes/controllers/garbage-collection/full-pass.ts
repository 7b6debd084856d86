import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FleetClient, FleetObject } from '../client/fleet-client.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'
import { classifyOwners } from './classify-owners.ts'
import {
  FOREGROUND_FINALIZER,
  hasFinalizer,
  isTerminating,
  ORPHAN_FINALIZER,
  ownersOf,
} from './owner-references.ts'
import { isEvent, type Work } from './work-of-change.ts'

/** The pass reads no further page while this number of items waits. */
const MAX_WAITING = 2000

interface Options {
  readonly fleet: FleetClient
  readonly queue: WorkQueue<Work>
  readonly signal: AbortSignal
}

/** The position at which a pass continues after a failure. */
export interface PassPosition {
  step: 'owned' | 'terminating' | 'done'
  after: ObjectKey | null
}

/** A pass from the beginning. */
export function firstPosition(): PassPosition {
  return { step: 'owned', after: null }
}

/**
 * Finds the work that changes would have announced if this process had been running: objects
 * without owners, and owners whose deletion has begun. Updates the position after each page.
 */
export async function runFullPass(options: Options, position: PassPosition): Promise<void> {
  if (position.step === 'owned') {
    await readPages(options, position, { selection: { isOwned: true }, find: findOrphans })
    Object.assign(position, { step: 'terminating', after: null })
  }
  if (position.step === 'terminating') {
    const selection = { isTerminating: true } as const
    await readPages(options, position, { selection, find: findWaitingOwners })
    position.step = 'done'
  }
}

interface Search {
  readonly selection: { readonly isOwned?: true; readonly isTerminating?: true }
  readonly find: (fleet: FleetClient, page: readonly FleetObject[]) => Promise<readonly Work[]>
}

async function readPages(
  { fleet, queue, signal }: Options,
  position: PassPosition,
  { selection, find }: Search,
): Promise<void> {
  for await (const page of fleet.scan(selection, position.after)) {
    for (const work of await find(fleet, page)) queue.add(work)
    await queue.whenBelow(MAX_WAITING)
    if (signal.aborted) return
    position.after = page.at(-1) ?? null
  }
}

/** Objects with an owner that is not solid. Dependents of the same owner share one read. */
async function findOrphans(
  fleet: FleetClient,
  page: readonly FleetObject[],
): Promise<readonly Work[]> {
  const solid = new Map<string, Promise<boolean>>()
  const work: Work[] = []
  for (const entry of page) {
    const object = entry.object()
    if (isEvent(entry) || isTerminating(object)) continue
    if (!(await areOwnersSolid(fleet, entry, { object, solid }))) {
      work.push({ type: 'object', key: keyOf(entry) })
    }
  }
  return work
}

interface Entry {
  readonly object: ApiObject
  /** By the plane, namespace and reference of an owner. */
  readonly solid: Map<string, Promise<boolean>>
}

async function areOwnersSolid(
  fleet: FleetClient,
  key: ObjectKey,
  { object, solid }: Entry,
): Promise<boolean> {
  const client = fleet.plane(key.plane)
  const resources = await client.resources()
  for (const reference of ownersOf(object)) {
    const { apiVersion, kind, name, uid } = reference
    const id = JSON.stringify([key.plane, key.namespace, apiVersion, kind, name, uid])
    const check =
      solid.get(id) ??
      classifyOwners({ client, key }, [reference], resources).then(
        (owners) => owners.solid.length > 0,
      )
    solid.set(id, check)
    if (!(await check)) return false
  }
  return true
}

function findWaitingOwners(
  _fleet: FleetClient,
  page: readonly FleetObject[],
): Promise<readonly Work[]> {
  const finalizers = [FOREGROUND_FINALIZER, ORPHAN_FINALIZER]
  const waiting = page.filter((entry) =>
    finalizers.some((finalizer) => hasFinalizer(entry.object(), finalizer)),
  )
  return Promise.resolve(waiting.map((entry) => ({ type: 'owner', key: keyOf(entry) })))
}

function keyOf({ plane, resource, namespace, name }: ObjectKey): ObjectKey {
  return { plane, resource, namespace, name }
}
