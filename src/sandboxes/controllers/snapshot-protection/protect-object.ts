import {
  type ObjectName,
  type PlaneClient,
  readOrNull,
  type ResourceName,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { findUsers, type ProtectedKind } from './find-users.ts'

/** Keeps an object until the last sandbox or snapshot that needs it is gone. */
const FINALIZER = 'agents.x-k8s.io/snapshot-protection'

interface ProtectedObject {
  readonly kind: ProtectedKind
  readonly resource: ResourceName
  readonly name: ObjectName
}

/** A deleted object that users still need. */
export interface BlockedDeletion {
  readonly object: ApiObject
  readonly users: readonly string[]
}

/**
 * Adds the finalizer to an object, or removes it from a deleted object without users. Returns the
 * deletion if users block it. An administrator who removes the finalizer forces the removal.
 */
export async function protectObject(
  client: PlaneClient,
  { kind, resource, name }: ProtectedObject,
): Promise<BlockedDeletion | null> {
  const object = await readOrNull(client, resource, name)
  if (object === null) return null
  const { finalizers = [], deletionTimestamp } = object.metadata
  const isProtected = finalizers.includes(FINALIZER)
  if (deletionTimestamp === undefined) {
    if (!isProtected) {
      await client.update(resource, withFinalizers(object, [...finalizers, FINALIZER]))
    }
    return null
  }
  if (!isProtected) return null
  const users = await findUsers(client, kind, object)
  if (users.length > 0) return { object, users }
  const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER)
  await client.update(resource, withFinalizers(object, rest))
  return null
}

function withFinalizers(object: ApiObject, finalizers: readonly string[]): ApiObject {
  return { ...object, metadata: { ...object.metadata, finalizers } }
}
