import type { ApiObject, OwnerReference } from '../../model/api-object.ts'
import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import { must } from '../../../lib/assert.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { isObjectNotFound } from '../client/api-failures.ts'
import type { FleetClient } from '../client/fleet-client.ts'
import type { PlaneClient, ServedResource } from '../client/plane-client.ts'
import { findServed } from '../client/resource-names.ts'

const FIELD_MANAGER = 'garbage-collector'

/** An object that was read for a decision. */
export interface LiveObject {
  readonly client: PlaneClient
  readonly resource: ServedResource
  readonly key: ObjectKey
  readonly object: ApiObject
}

/** The current state of an object; null if it or its resource does not exist. */
export async function readLive(fleet: FleetClient, key: ObjectKey): Promise<LiveObject | null> {
  const client = fleet.plane(key.plane)
  const resource = findServed(await client.resources(), key.resource)
  if (resource === null) return null
  const object = await readObject(client, resource, key)
  return object === null ? null : { client, resource, key, object }
}

/** The current state of an object; null if it does not exist. */
export async function readObject(
  client: PlaneClient,
  resource: ServedResource,
  { namespace, name }: Pick<ObjectKey, 'namespace' | 'name'>,
): Promise<ApiObject | null> {
  try {
    return await client.get(resource, { namespace, name })
  } catch (error) {
    if (isObjectNotFound(error, name)) return null
    throw error
  }
}

/** Replaces the owners of the version that was read. Fails with 409 if it has changed. */
export function writeOwners(
  live: LiveObject,
  ownerReferences: readonly OwnerReference[],
): Promise<void> {
  return writeMetadata(live, {
    ownerReferences: ownerReferences.length > 0 ? ownerReferences : null,
  })
}

/** Removes a finalizer from the version that was read. Fails with 409 if it has changed. */
export function removeFinalizer(live: LiveObject, finalizer: string): Promise<void> {
  const finalizers = (live.object.metadata.finalizers ?? []).filter((each) => each !== finalizer)
  return writeMetadata(live, { finalizers: finalizers.length > 0 ? finalizers : null })
}

/** Deletes the version that was read. Fails with 409 if it has changed. */
export async function deleteVersion(
  { client, resource, key, object }: LiveObject,
  propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
): Promise<void> {
  await client.delete(resource, key, { propagationPolicy, preconditions: versionOf(object) })
}

async function writeMetadata(live: LiveObject, change: JsonObject): Promise<void> {
  const { client, resource, key, object } = live
  const body = { metadata: { ...change, ...versionOf(object) } }
  try {
    await client.patch(resource, key, { type: 'merge', body }, { fieldManager: FIELD_MANAGER })
  } catch (error) {
    // An object that is gone has no owners and finalizers.
    if (!isObjectNotFound(error, key.name)) throw error
  }
}

function versionOf({ metadata }: ApiObject) {
  return {
    uid: must(metadata.uid, 'the uid of a stored object'),
    resourceVersion: must(metadata.resourceVersion, 'the version of a stored object'),
  }
}
