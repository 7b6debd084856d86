import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { parseJsonText } from '../../../lib/json/json-text.ts'

/** The select list of an ObjectRow. */
export const OBJECT_COLUMNS =
  'objects.plane, objects.resource, objects.namespace, objects.name, objects.uid, objects.revision, objects.body::text as body, objects.managed_fields'

/** A row of `objects`. */
export interface ObjectRow {
  readonly plane: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly revision: bigint
  readonly body: string
  readonly managed_fields: readonly JsonValue[]
}

/** Converts a row to an object, except for the form of its body. */
export function objectOf(row: ObjectRow): StoredObject {
  const { plane, resource, namespace, name, uid, revision } = row
  const body = parseJsonText(row.body)
  return {
    plane,
    resource,
    namespace,
    name,
    uid,
    revision,
    body: isJsonObject(body) ? body : {},
    managedFields: row.managed_fields,
  }
}
