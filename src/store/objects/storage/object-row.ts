import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import type { StoredObject } from '../model/stored-object.ts'

/** The select list of an ObjectRow. */
export const OBJECT_COLUMNS =
  'objects.plane, objects.resource, objects.namespace, objects.name, objects.uid, objects.revision, objects.body, objects.managed_fields'

/** A row of `objects`. */
export interface ObjectRow {
  readonly plane: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly revision: bigint
  readonly body: JsonObject
  readonly managed_fields: readonly JsonValue[]
}

/** Converts a row to an object, except for the form of its body. */
export function objectOf(row: ObjectRow): StoredObject {
  const { plane, resource, namespace, name, uid, revision, body } = row
  return {
    plane,
    resource,
    namespace,
    name,
    uid,
    revision,
    body,
    managedFields: row.managed_fields,
  }
}
