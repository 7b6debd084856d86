import type { ApiObject, ManagedFieldsEntry, ObjectMeta } from '../../../model/api-object.ts'
import type { ObjectChange } from '../../../../store/objects/model/object-change.ts'
import type { StoredObject } from '../../../../store/objects/model/stored-object.ts'
import { must } from '../../../../lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { lazy } from '../../../../lib/lazy.ts'
import type { FleetChange, FleetObject } from '../fleet-client.ts'
import { textOf } from '../../../../lib/json/json-fields.ts'
import { parseJsonText } from '../../../../lib/json/json-text.ts'

/** The object of an event: storage keeps its resource version and managed fields separately. */
export function objectOfChange({ body, managedFields, revision }: ObjectChange): ApiObject {
  const fields: unknown = JSON.parse(managedFields)
  return assembled(parseBody(body), Array.isArray(fields) ? fields : [], revision)
}

/** A change whose object is parsed on first use. */
export function fleetChange(change: ObjectChange): FleetChange {
  const { plane, resource, namespace, name, uid, type, body } = change
  const object = lazy(() => objectOfChange(change))
  return { plane, resource, namespace, name, uid, type, text: body, object }
}

/** A stored object as controllers see it. */
export function fleetObject(stored: StoredObject): FleetObject {
  const { plane, resource, namespace, name, uid } = stored
  const object = lazy(() => assembled(stored.body, stored.managedFields, stored.revision))
  return { plane, resource, namespace, name, uid, object }
}

function parseBody(json: string): JsonObject {
  const body = parseJsonText(json)
  return must(isJsonObject(body) ? body : null, 'the object of a change')
}

function assembled(
  body: JsonObject,
  managedFields: readonly JsonValue[],
  revision: bigint,
): ApiObject {
  const { apiVersion, kind, metadata } = body
  const meta: ObjectMeta = {
    ...(isJsonObject(metadata) && metadata),
    resourceVersion: String(revision),
    ...(managedFields.length > 0 && { managedFields: managedFields.filter(isEntry) }),
  }
  return { ...body, apiVersion: textOf(apiVersion), kind: textOf(kind), metadata: meta }
}

function isEntry(value: JsonValue): value is ManagedFieldsEntry {
  return isJsonObject(value) && typeof value['apiVersion'] === 'string'
}
