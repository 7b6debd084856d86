import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

/** Keywords without effect on validation. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  'deprecated',
  'description',
  'example',
  'examples',
  'externalDocs',
  'title',
])
/** Keywords whose value is data, in which every field counts. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum'])
/** Keywords whose value maps names to schemas: there, `title` is a name. */
const NAMED: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** A JSON Schema without its annotations, which two versions of a server may word differently. */
export function schemaRules(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !ANNOTATIONS.has(keyword))
      .map(([keyword, value]) => [keyword, rulesOf(keyword, value)]),
  )
}

function rulesOf(keyword: string, value: JsonValue): JsonValue {
  if (DATA.has(keyword)) return value
  if (NAMED.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [name, rulesOf('', schema)]),
    )
  }
  if (Array.isArray(value)) return value.map((item) => rulesOf('', item))
  return isJsonObject(value) ? schemaRules(value) : value
}
