import type { OwnerReference } from '../../model/api-object.ts'
import type { FleetClient } from '../client/fleet-client.ts'
import { isConflict } from '../client/api-failures.ts'
import type { LiveObject } from './plane-objects.ts'

const EVENTS = { group: '', version: 'v1', plural: 'events' }

/**
 * Writes an event for each owner that exists in another namespace: a frequent mistake, after
 * which the object is collected.
 */
export async function reportForeignOwners(
  fleet: FleetClient,
  live: LiveObject,
  absent: readonly OwnerReference[],
): Promise<void> {
  const { plane, namespace } = live.key
  if (namespace === '') return
  for (const owner of absent) {
    for await (const [found] of fleet.scan({ plane, uid: owner.uid })) {
      if (found && found.namespace !== '' && found.namespace !== namespace) {
        await writeEvent(live, owner)
      }
    }
  }
}

async function writeEvent({ client, key, object }: LiveObject, owner: OwnerReference) {
  const { namespace, name } = key
  const { uid = '', resourceVersion = '' } = object.metadata
  const { apiVersion, kind, name: ownerName, uid: ownerUid } = owner
  const reference = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${ownerName}, uid: ${ownerUid}]`
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  try {
    await client.create(EVENTS, {
      apiVersion: 'v1',
      kind: 'Event',
      // The name is the same for the same mistake, so that it is reported once.
      metadata: {
        namespace,
        name: `${name.slice(0, 180)}.${uid.slice(0, 8)}.${ownerUid.slice(0, 8)}`,
      },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        namespace,
        name,
        uid,
        resourceVersion,
      },
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${reference} does not exist in namespace "${namespace}"`,
      source: { component: 'garbage-collector-controller' },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    })
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}
