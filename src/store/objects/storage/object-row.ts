import { lazy } from '../../../lib/lazy.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { setStoredText } from '../model/stored-text.ts'
import { parseJsonText } from '../../../lib/json/json-text.ts'

/** The select list of an ObjectRow. */
export const OBJECT_COLUMNS =
  'objects.plane, objects.resource, objects.namespace, objects.name, objects.uid, objects.revision, objects.body::text as body, objects.managed_fields::text as managed_fields'

/** A row of `objects`. */
export interface ObjectRow {
  readonly plane: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly revision: bigint
  readonly body: string
  readonly managed_fields: string
}

/** Converts a row to an object, except for the form of its body. */
export function objectOf(row: ObjectRow): StoredObject {
  const { plane, resource, namespace, name, uid, revision } = row
  const key = { plane, resource, namespace, name }
  return { ...key, uid, revision, body: bodyOf(row), managedFields: fieldsOf(row) }
}

/** Converts a row of a list. Responses can use its texts, which are parsed when they are first used. */
export function listedObjectOf(row: ObjectRow): StoredObject {
  const { plane, resource, namespace, name, uid, revision } = row
  const [body, managedFields] = [lazy(() => bodyOf(row)), lazy(() => fieldsOf(row))]
  const object: StoredObject = {
    plane,
    resource,
    namespace,
    name,
    uid,
    revision,
    get body() {
      return body()
    },
    get managedFields() {
      return managedFields()
    },
  }
  setStoredText(object, { body: row.body, managedFields: row.managed_fields })
  return object
}

function bodyOf({ body }: ObjectRow): JsonObject {
  const parsed = parseJsonText(body)
  return isJsonObject(parsed) ? parsed : {}
}

function fieldsOf({ managed_fields: text }: ObjectRow): readonly JsonValue[] {
  const parsed: JsonValue = JSON.parse(text)
  return Array.isArray(parsed) ? parsed : []
}
