import type { ObjectKey } from '../../store/objects/model/stored-object.ts'
import type { Target } from '../model/object-operations.ts'
import { resourceKey } from '../model/resource-type.ts'

/** The key of the target's object in storage. */
export function keyOf({ plane, type, namespace, name }: Target): ObjectKey {
  return { plane, resource: resourceKey(type), namespace, name }
}
