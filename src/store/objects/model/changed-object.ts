import { objectOf } from '../../../lib/json/json-fields.ts'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import { parseJsonText } from '../../../lib/json/json-text.ts'
import type { ObjectChange } from './object-change.ts'
import type { StoredObject } from './stored-object.ts'

const BODIES = new WeakMap<ObjectChange, JsonObject>()

/** The body after a change, parsed once for all watches and configurations. */
export function bodyOfChange(change: ObjectChange): JsonObject {
  const parsed = BODIES.get(change) ?? objectOf(parseJsonText(change.body))
  BODIES.set(change, parsed)
  return parsed
}

/** The object after a change. */
export function storedObjectOf(change: ObjectChange): StoredObject {
  const { plane, resource, namespace, name, uid, revision } = change
  const managedFields: JsonValue = JSON.parse(change.managedFields)
  return {
    plane,
    resource,
    namespace,
    name,
    uid,
    revision,
    body: bodyOfChange(change),
    managedFields: Array.isArray(managedFields) ? managedFields : [],
  }
}
