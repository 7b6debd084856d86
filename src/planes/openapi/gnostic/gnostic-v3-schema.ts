import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { objectOf, objectsOf } from '../../../lib/json/json-fields.ts'
import { copiedKeywords } from './gnostic-schema.ts'
import { anyValue, named, vendorExtensions } from './named-values.ts'

const JUNCTORS = ['allOf', 'oneOf', 'anyOf'] as const

/** A schema of OpenAPI 3.0, or a reference to one, as a message. */
export function gnosticV3Schema(schema: JsonValue | undefined): object {
  const content = objectOf(schema)
  const { $ref } = content
  return $ref === undefined ? { schema: schemaMessage(content) } : { reference: { ref: $ref } }
}

function schemaMessage(schema: JsonObject): object {
  const { type, nullable, items, properties, additionalProperties, example, not } = schema
  const { default: value, enum: values } = schema
  const junctors = JUNCTORS.filter((name) => schema[name] !== undefined).map(
    (name) => [name, objectsOf(schema[name]).map(gnosticV3Schema)] as const,
  )
  return {
    ...copiedKeywords(schema),
    ...Object.fromEntries(junctors),
    ...(type !== undefined && { type }),
    ...(nullable !== undefined && { nullable }),
    ...(isJsonObject(not) && { not: schemaMessage(not) }),
    ...(isJsonObject(items) && { items: { schemaOrReference: [gnosticV3Schema(items)] } }),
    ...(isJsonObject(properties) && {
      properties: { additionalProperties: named(properties, gnosticV3Schema) },
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isJsonObject(additionalProperties)
        ? { schemaOrReference: gnosticV3Schema(additionalProperties) }
        : { boolean: additionalProperties },
    }),
    ...(value !== undefined && { default: defaultValue(value) }),
    ...(example !== undefined && { example: anyValue(example) }),
    ...(Array.isArray(values) && { enum: values.map(anyValue) }),
    specificationExtension: vendorExtensions(schema),
  }
}

/** The message has no form for objects, lists and null: it is empty, as in Kubernetes. */
function defaultValue(value: JsonValue): object {
  switch (typeof value) {
    case 'string':
      return { string: value }
    case 'boolean':
      return { boolean: value }
    case 'number':
    case 'bigint':
      return { number: Number(value) }
    default:
      return {}
  }
}
