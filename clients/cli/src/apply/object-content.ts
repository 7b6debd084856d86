import { isJsonObject, type JsonObject } from '../documents/json-object.ts'

const OWNED_BY_SERVER = [
  'managedFields',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'uid',
  'selfLink',
]

/** An object of a plane without the fields that the server owns. */
export function objectContent({ status: _status, metadata, ...rest }: JsonObject): JsonObject {
  const { apiVersion, kind, ...fields } = rest
  const entries = isJsonObject(metadata) ? Object.entries(metadata) : []
  const own = entries.filter(([field]) => !OWNED_BY_SERVER.includes(field))
  return { apiVersion, kind, metadata: Object.fromEntries(own), ...fields }
}
