import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'

/** Keywords that name a schema or a dialect. Inside a document they are useless, and names must be unique. */
const IDENTITY = new Set(['$id', '$schema'])

/** Keywords that contain the definitions of other schemas. */
const DEFINITIONS = new Set(['$defs', 'definitions'])

/** A schema with resolved references, without the keywords that only a separate file needs. */
export function withoutIdentity(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).filter(([name]) => !DEFINITIONS.has(name))
  return cleanedMembers(members)
}

function cleaned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(cleaned)
  return isJsonObject(value) ? cleanedMembers(Object.entries(value)) : value
}

function cleanedMembers(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  // A property with this name has a schema as its value, not text.
  const kept = members.filter(([name, value]) => !IDENTITY.has(name) || typeof value !== 'string')
  return Object.fromEntries(kept.map(([name, value]) => [name, cleaned(value)]))
}
