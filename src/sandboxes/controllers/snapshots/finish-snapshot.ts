import { errorMessage, isJsonObject, isSameJson, type JsonObject } from 'flotilla'
import {
  type ObjectName,
  type PlaneClient,
  readOrNull,
  recordEvent,
  timedConditions,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { type Snapshot, snapshotOf } from '../../model/snapshot.ts'
import { SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'
import { deleteData } from './delete-data.ts'
import { findNeed } from './find-need.ts'
import { COMPONENT, type SnapshotParts } from './snapshot-parts.ts'

/** The finalizer that keeps a Snapshot until its data is deleted. */
export const DATA_FINALIZER = 'agents.x-k8s.io/snapshot-data'

/** `waiting` if a user or the backend delays the deletion. */
export type SnapshotResult = 'done' | 'waiting'

/**
 * Adds the finalizer to a snapshot, or deletes the data of a deleted one and removes it. A snapshot
 * that is still needed, or whose backend cannot be used, stays. An administrator who removes the
 * finalizer forces the removal, which leaves the data in the store.
 */
export async function finishSnapshot(
  parts: SnapshotParts,
  client: PlaneClient,
  name: ObjectName,
): Promise<SnapshotResult> {
  const object = await readOrNull(client, SNAPSHOTS, name)
  if (object === null) return 'done'
  const { finalizers = [] } = object.metadata
  const snapshot = snapshotOf(object)
  if (!snapshot.isDeleting) {
    if (!isHeld(object)) await writeFinalizers(client, object, [...finalizers, DATA_FINALIZER])
    return 'done'
  }
  if (!isHeld(object)) return 'done'
  const need = await findNeed(parts, client, snapshot)
  if (need !== null) return wait(parts, { client, object }, { reason: 'InUse', message: need })
  const deleting = await markDeleting(client, object, snapshot)
  const failure = await attemptDeletion(parts, client, snapshot)
  if (failure !== null) return wait(parts, { client, object: deleting }, failure)
  const rest = finalizers.filter((finalizer) => finalizer !== DATA_FINALIZER)
  await writeFinalizers(client, deleting, rest)
  return 'done'
}

export function isHeld({ metadata }: ApiObject): boolean {
  return metadata.finalizers?.includes(DATA_FINALIZER) === true
}

interface Obstacle {
  readonly reason: string
  readonly message: string
}

async function attemptDeletion(
  parts: SnapshotParts,
  client: PlaneClient,
  snapshot: Snapshot,
): Promise<Obstacle | null> {
  try {
    const problem = await deleteData(parts, client, snapshot)
    return problem && { reason: problem.unresolved, message: problem.message }
  } catch (error) {
    return { reason: 'DeletionFailed', message: errorMessage(error) }
  }
}

async function markDeleting(
  client: PlaneClient,
  object: ApiObject,
  { phase }: Snapshot,
): Promise<ApiObject> {
  if (phase === 'Deleting') return object
  const status = { ...statusOf(object), phase: 'Deleting' }
  return client.updateSubresource(SNAPSHOTS, 'status', { ...object, status }, { basedOn: object })
}

interface Waiting {
  readonly client: PlaneClient
  readonly object: ApiObject
}

/** Reports the obstacle in a condition, and in an event if it is new. */
async function wait(
  { timers, onError }: SnapshotParts,
  { client, object }: Waiting,
  { reason, message }: Obstacle,
): Promise<SnapshotResult> {
  const now = timers.clock()
  const current = statusOf(object)
  const { generation = 0 } = object.metadata
  const condition = { type: 'Deleted', status: 'False', reason, message } as const
  const conditions = timedConditions(current['conditions'], [condition], { now, generation })
  if (isSameJson(current['conditions'] ?? [], conditions)) return 'waiting'
  const status = { ...current, conditions }
  await client.updateSubresource(SNAPSHOTS, 'status', { ...object, status }, { basedOn: object })
  const event = { type: 'Warning', reason, message } as const
  await recordEvent(client, object, event, { component: COMPONENT, now }).catch(onError)
  return 'waiting'
}

async function writeFinalizers(
  client: PlaneClient,
  object: ApiObject,
  finalizers: readonly string[],
): Promise<void> {
  const changed = { ...object, metadata: { ...object.metadata, finalizers } }
  await client.update(SNAPSHOTS, changed, { basedOn: object })
}

function statusOf({ status }: ApiObject): JsonObject {
  return isJsonObject(status) ? status : {}
}
