import type { ObjectKey, StoredObject } from './model/stored-object.ts'

/** The objects of a resource that exist in a plane without being stored, by namespace and name. */
export type ComputedObjects = (
  plane: string,
  resource: string,
) => readonly StoredObject[] | Promise<readonly StoredObject[]>

/** Finds the computed object of a key. */
export async function findComputed(
  computedObjects: ComputedObjects,
  key: ObjectKey,
): Promise<StoredObject | null> {
  const objects = await computedObjects(key.plane, key.resource)
  const found = objects.find((object) => hasKey(object, key))
  return found ? { ...found, isComputed: true } : null
}

/** Returns whether the objects of some resources in a plane are computed, by key. */
export async function computedKeysOf(
  computedObjects: ComputedObjects,
  plane: string,
  resources: ReadonlySet<string>,
): Promise<(key: ObjectKey) => boolean> {
  const objects = new Map<string, readonly StoredObject[]>()
  for (const resource of resources) objects.set(resource, await computedObjects(plane, resource))
  return (key) => (objects.get(key.resource) ?? []).some((object) => hasKey(object, key))
}

function hasKey(object: StoredObject, { namespace, name }: ObjectKey): boolean {
  return object.namespace === namespace && object.name === name
}
