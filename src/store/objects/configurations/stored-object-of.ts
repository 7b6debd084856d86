import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { ObjectChange } from '../model/object-change.ts'
import type { StoredObject } from '../model/stored-object.ts'

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
    body: objectOf(JSON.parse(change.body)),
    managedFields: Array.isArray(managedFields) ? managedFields : [],
  }
}

function objectOf(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {}
}
