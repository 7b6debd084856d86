import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

/** What names a schema or a dialect: of no use inside a document, and a name can be there only once. */
const IDENTITY = new Set(['$id', '$schema'])

/** Where a schema keeps others to refer to. */
const DEFINITIONS = new Set(['$defs', 'definitions'])

/** A schema whose references are resolved, without what it only needed as a file of its own. */
export function withoutIdentity(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).filter(([name]) => !DEFINITIONS.has(name))
  return cleanedMembers(members)
}

function cleaned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(cleaned)
  return isJsonObject(value) ? cleanedMembers(Object.entries(value)) : value
}

function cleanedMembers(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  // A property of this name has a schema, not text.
  const kept = members.filter(([name, value]) => !IDENTITY.has(name) || typeof value !== 'string')
  return Object.fromEntries(kept.map(([name, value]) => [name, cleaned(value)]))
}
