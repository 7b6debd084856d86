import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { anyValue, named, vendorExtensions } from './named-values.ts'

const COPIED = [
  'format',
  'title',
  'description',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
] as const

/** The keywords that both versions of OpenAPI write in the same way. */
export function copiedKeywords(schema: JsonObject): object {
  const copied = COPIED.flatMap((keyword) => {
    const content = schema[keyword]
    if (content === undefined) return []
    return [[keyword, typeof content === 'bigint' ? Number(content) : content] as const]
  })
  return Object.fromEntries(copied)
}

/** A schema of OpenAPI 2.0 as a message. */
export function gnosticSchema(schema: JsonObject): object {
  const { $ref, type, items, properties, additionalProperties, example } = schema
  const { default: value, enum: values } = schema
  return {
    ...copiedKeywords(schema),
    ...($ref !== undefined && { ref: $ref }),
    ...(type !== undefined && { type: { value: [type] } }),
    ...(isJsonObject(items) && { items: { schema: [gnosticSchema(items)] } }),
    ...(isJsonObject(properties) && {
      properties: { additionalProperties: named(properties, nestedSchema) },
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isJsonObject(additionalProperties)
        ? { schema: gnosticSchema(additionalProperties) }
        : { boolean: additionalProperties },
    }),
    ...(value !== undefined && { default: anyValue(value) }),
    ...(example !== undefined && { example: anyValue(example) }),
    ...(Array.isArray(values) && { enum: values.map(anyValue) }),
    vendorExtension: vendorExtensions(schema),
  }
}

function nestedSchema(schema: JsonValue): object {
  return gnosticSchema(isJsonObject(schema) ? schema : {})
}
