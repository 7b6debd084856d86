import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { listOf } from '../../lib/json/json-fields.ts'

/** Keywords that OpenAPI 3.0 shares with 3.1 and whose values contain no schemas. */
const PLAIN = new Set([
  'title',
  'description',
  'format',
  'default',
  'example',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'readOnly',
  'writeOnly',
  'deprecated',
  'discriminator',
  'externalDocs',
  'nullable',
])

/**
 * Converts a schema from OpenAPI 3.1 to 3.0. Keywords without a counterpart, such as `if`, are
 * removed, so the result accepts every value that the original accepts.
 */
export function schema30(schema: JsonValue): JsonObject {
  if (schema === false) return { not: {} }
  if (!isJsonObject(schema)) return {}
  const { $ref, ...rest } = schema
  if ($ref === undefined) return withoutReference(schema)
  // 3.0 ignores the other fields of an object with `$ref`.
  if (Object.keys(rest).length === 0) return { $ref }
  return { ...withoutReference(rest), allOf: [{ $ref }] }
}

function withoutReference(schema: JsonObject): JsonObject {
  const converted: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (PLAIN.has(keyword) || keyword.startsWith('x-')) converted[keyword] = value
    else Object.assign(converted, KEYWORDS[keyword]?.(value))
  }
  if (converted['type'] === 'array') converted['items'] ??= {}
  const values = converted['enum']
  if (Array.isArray(values) && values.includes(null)) converted['nullable'] = true
  return converted
}

/** Converts the other keywords. Keywords in neither table have no counterpart. */
const KEYWORDS: Readonly<Record<string, (value: JsonValue) => JsonObject>> = {
  type: typeOf,
  const: (value) => ({ enum: [value] }),
  examples: (value) => (Array.isArray(value) && value.length > 0 ? { example: value[0] } : {}),
  exclusiveMinimum: (value) =>
    typeof value === 'number' ? { minimum: value, exclusiveMinimum: true } : {},
  exclusiveMaximum: (value) =>
    typeof value === 'number' ? { maximum: value, exclusiveMaximum: true } : {},
  items: (value) => ({ items: schema30(value) }),
  not: (value) => ({ not: schema30(value) }),
  properties: (value) => ({ properties: schemas30(value) }),
  additionalProperties: (value) => ({
    additionalProperties: typeof value === 'boolean' ? value : schema30(value),
  }),
  allOf: (value) => ({ allOf: listOf(value).map(schema30) }),
  anyOf: (value) => alternatives('anyOf', listOf(value)),
  oneOf: (value) => alternatives('oneOf', listOf(value)),
}

/** Converts schemas by name. */
export function schemas30(schemas: JsonValue | undefined): JsonObject {
  const entries = isJsonObject(schemas) ? Object.entries(schemas) : []
  return Object.fromEntries(entries.map(([name, schema]) => [name, schema30(schema)]))
}

/** 3.0 allows one type per schema and has `nullable` instead of the type null. */
function typeOf(value: JsonValue): JsonObject {
  const types = Array.isArray(value) ? value : [value]
  const nullable = types.includes('null') && { nullable: true }
  const others = types.filter((type) => type !== 'null')
  const [type] = others
  if (type === undefined) return { enum: [null], ...nullable }
  if (others.length === 1) return { type, ...nullable }
  return { anyOf: others.map((one) => schema30({ type: one })), ...nullable }
}

function alternatives(keyword: string, schemas: readonly JsonValue[]): JsonObject {
  const isNull = (schema: JsonValue): boolean => isJsonObject(schema) && schema['type'] === 'null'
  const others = schemas.filter((schema) => !isNull(schema))
  const nullable = others.length < schemas.length && { nullable: true }
  return { [keyword]: others.map(schema30), ...nullable }
}
