import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { badRequest } from '../errors/failures.ts'
import type { ApiObject } from '../model/api-object.ts'

/** A JSON value as an object with metadata. 400 if it is not one. */
export function requireObject(value: JsonValue): ApiObject {
  if (!isJsonObject(value)) throw badRequest('the body must be an object')
  const { apiVersion, kind, metadata = {} } = value
  if (!isOptionalText(apiVersion) || !isOptionalText(kind)) {
    throw badRequest('apiVersion and kind must be strings')
  }
  if (!isJsonObject(metadata)) throw badRequest('metadata must be an object')
  // A copy of an object with many members would take long.
  const object = value['metadata'] === metadata ? value : { ...value, metadata }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- withIdentity adds missing names
  return object as ApiObject
}

function isOptionalText(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === 'string'
}
