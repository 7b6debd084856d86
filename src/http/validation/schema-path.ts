import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'

const NOTHING: JsonObject = {}

/** The schema behind `#/components/...`, or the schema itself. */
function resolveRef(document: JsonObject, schema: JsonObject): JsonObject {
  const ref = schema['$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  const target = ref.slice(2).split('/').reduce<JsonValue | undefined>(member, document)
  return isJsonObject(target) ? resolveRef(document, target) : NOTHING
}

/** The schema of a field of a body, and whether its parent requires it; empty if unknown. */
export function resolvePath(
  document: JsonObject,
  root: JsonObject,
  keys: readonly string[],
): { schema: JsonObject; required: boolean } {
  let schema = resolveRef(document, root)
  let required = false
  for (const key of keys) {
    const names = schema['required']
    required = Array.isArray(names) && names.includes(key)
    const next = /^\d+$/.test(key) ? schema['items'] : member(schema['properties'], key)
    schema = isJsonObject(next) ? resolveRef(document, next) : NOTHING
  }
  return { schema, required }
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
