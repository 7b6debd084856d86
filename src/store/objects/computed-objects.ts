import type { ObjectKey, StoredObject } from './model/stored-object.ts'

/** The computed objects of a resource: they exist without being stored. By namespace and name. */
export type ComputedPlane = (resource: string) => readonly StoredObject[]

/** The computed objects of a plane. */
export type ComputedObjects = (plane: string) => ComputedPlane | Promise<ComputedPlane>

/** Finds the computed object of a key. */
export async function findComputed(
  computedObjects: ComputedObjects,
  key: ObjectKey,
): Promise<StoredObject | null> {
  const computed = await computedObjects(key.plane)
  const found = computed(key.resource).find((object) => hasKey(object, key))
  return found ? { ...found, isComputed: true } : null
}

/** Whether the object of a key is computed, unless a row replaces it. */
export function isComputedKey(computed: ComputedPlane, key: ObjectKey): boolean {
  return computed(key.resource).some((object) => hasKey(object, key))
}

function hasKey(object: StoredObject, { namespace, name }: ObjectKey): boolean {
  return object.namespace === namespace && object.name === name
}
