import {
  isConflict,
  isObjectNotFound,
  type ObjectName,
  type PlaneClient,
  readOrNull,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { type Sandbox, sandboxOf } from '../../model/sandbox.ts'
import { type Snapshot, snapshotOf } from '../../model/snapshot.ts'
import { SANDBOXES, SNAPSHOTS, snapshotsOf } from '../snapshot-claims/snapshot-resources.ts'
import { decideRetention } from './decide-retention.ts'
import { findNeed, isSuspendedWith, uses } from './find-need.ts'
import { followSandbox } from './follow-sandbox.ts'
import type { SnapshotParts } from './snapshot-parts.ts'

interface Found {
  readonly object: ApiObject
  readonly snapshot: Snapshot
}

/**
 * Applies the snapshot policy of a sandbox: owner references and retention. Returns the time until
 * the next expiry, or null.
 */
export async function retainSnapshots(
  parts: SnapshotParts,
  client: PlaneClient,
  name: ObjectName,
): Promise<number | null> {
  const object = await readOrNull(client, SANDBOXES, name)
  if (object === null) return null
  const sandbox = sandboxOf(object)
  if (sandbox.isDeleting) return null
  const found = await findSnapshots(client, sandbox)
  for (const each of found) await followSandbox(client, each.object, object)
  const complete = found.filter(({ snapshot }) => isComplete(snapshot))
  const { keepLast, ttlSeconds } = sandbox.snapshotPolicy
  if (ttlSeconds === null && complete.length <= keepLast) return null
  const isUsed = await usedBy(parts, sandbox)
  const retained = complete.map(({ snapshot }) => ({
    name: snapshot.name,
    isFailed: snapshot.phase === 'Failed',
    createdAt: new Date(snapshot.completeTime ?? snapshot.createdTime),
    isNeeded: isUsed(snapshot.name),
  }))
  const plan = decideRetention(retained, sandbox.snapshotPolicy, parts.timers.clock())
  for (const each of found) {
    if (!plan.surplus.includes(each.snapshot.name)) continue
    // Other sandboxes may start from it. Few snapshots are surplus, so only these are checked.
    if ((await findNeed(parts, client, each.snapshot)) === null) await remove(client, each)
  }
  return plan.nextExpiryMs
}

/** Whether the sandbox itself needs a snapshot. */
async function usedBy(
  { records }: SnapshotParts,
  { uid }: Sandbox,
): Promise<(snapshot: string) => boolean> {
  const { state, operation } = await records.readRows(uid)
  return (name) => isSuspendedWith(state, name) || (operation !== null && uses(operation, name))
}

async function findSnapshots(
  client: PlaneClient,
  { namespace, name, uid }: Sandbox,
): Promise<readonly Found[]> {
  const found: Found[] = []
  for await (const page of client.pages(SNAPSHOTS, snapshotsOf({ namespace, name }))) {
    for (const object of page.items) {
      const snapshot = snapshotOf(object)
      if ((snapshot.sandbox.uid ?? uid) !== uid) continue
      found.push({ object, snapshot })
    }
  }
  return found
}

function isComplete({ phase, isDeleting }: Snapshot): boolean {
  return !isDeleting && (phase === 'Ready' || phase === 'Consumed' || phase === 'Failed')
}

/** A snapshot that has changed since it was read stays until the next decision. */
async function remove(client: PlaneClient, { object, snapshot }: Found): Promise<void> {
  const { namespace, name, uid } = snapshot
  const { resourceVersion = '' } = object.metadata
  try {
    const preconditions = { uid, resourceVersion }
    await client.delete(SNAPSHOTS, { namespace, name }, { preconditions })
  } catch (error) {
    if (!isObjectNotFound(error, name) && !isConflict(error)) throw error
  }
}
