import type { ObjectKey, StoredObject } from './model/stored-object.ts'
import type { QueuedWrite } from './plane-queues.ts'

/** The objects of a resource that exist in a plane without being stored, by namespace and name. */
export type ComputedObjects = (
  plane: string,
  resource: string,
) => readonly StoredObject[] | Promise<readonly StoredObject[]>

/** The keys of computed objects that some writes depend on. */
interface ComputedKeys {
  readonly has: (key: ObjectKey) => boolean
  readonly namespaces: readonly string[]
}

/** Finds the computed object of a key. */
export async function findComputed(
  computedObjects: ComputedObjects,
  key: ObjectKey,
): Promise<StoredObject | null> {
  const objects = await computedObjects(key.plane, key.resource)
  const found = objects.find((object) => hasKey(object, key))
  return found ? { ...found, isComputed: true } : null
}

/** Collects the computed objects of the resources that a batch writes. */
export async function computedKeysOf(
  computedObjects: ComputedObjects,
  plane: string,
  batch: readonly QueuedWrite[],
): Promise<ComputedKeys> {
  const objects = new Map<string, readonly StoredObject[]>()
  for (const { keys } of batch) {
    for (const { resource } of keys) {
      if (!objects.has(resource)) objects.set(resource, await computedObjects(plane, resource))
    }
  }
  return {
    has: (key) => (objects.get(key.resource) ?? []).some((object) => hasKey(object, key)),
    namespaces: (await computedObjects(plane, 'namespaces')).map(({ name }) => name),
  }
}

function hasKey(object: StoredObject, { namespace, name }: ObjectKey): boolean {
  return object.namespace === namespace && object.name === name
}
