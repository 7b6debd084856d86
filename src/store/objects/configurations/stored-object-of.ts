import type { JsonValue } from '../../../lib/json/json.ts'
import type { ObjectChange } from '../model/object-change.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'
import { parseJsonText } from '../../../lib/json/json-text.ts'

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
    body: objectOf(parseJsonText(change.body)),
    managedFields: Array.isArray(managedFields) ? managedFields : [],
  }
}
