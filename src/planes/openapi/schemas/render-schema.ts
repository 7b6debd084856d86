import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import type { Schema } from '../../model/schema.ts'
import { OBJECT_META } from './component-names.ts'

/** The versions of OpenAPI that are served. */
export type OpenApiFormat = 'v2' | 'v3'

/** The definitions of a document. Rendering a schema adds those that it refers to. */
export interface Components {
  readonly format: OpenApiFormat
  readonly definitions: Map<string, JsonObject>
}

/** Keywords that are copied unless the format lacks them. */
const COPIED = [
  'type',
  'description',
  'title',
  'format',
  'default',
  'enum',
  'example',
  'required',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-maturity',
  'x-kep',
] as const satisfies readonly (keyof Schema)[]

/** A reference to a definition. */
export function referenceTo(name: string, format: OpenApiFormat): JsonObject {
  return { $ref: format === 'v2' ? `#/definitions/${name}` : `#/components/schemas/${name}` }
}

/** Renders a schema. Schemas with a definition become references. */
export function renderSchema(schema: Schema, components: Components): JsonObject {
  const { definition, description: _description, ...undescribed } = schema
  if (definition === undefined) return renderContent(schema, components)
  // kubectl shows the descriptions of the reference and of its definition: one is enough.
  define(definition, { ...undescribed, definition }, components)
  return describedReference(definition, schema, components.format)
}

/** Adds the definition of a schema unless the document has it. */
export function define(name: string, schema: Schema, components: Components): void {
  const { definitions } = components
  if (definitions.has(name)) return
  // The placeholder keeps the order and ends recursions.
  definitions.set(name, {})
  definitions.set(name, renderContent(schema, components))
}

/** A reference with a description, a default and a maturity. OpenAPI v3 needs `allOf` for siblings of `$ref`. */
function describedReference(
  name: string,
  { description, default: value, 'x-maturity': maturity, 'x-kep': kep }: Schema,
  format: OpenApiFormat,
): JsonObject {
  const reference = referenceTo(name, format)
  const siblings = {
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: value }),
    ...(maturity !== undefined && { 'x-maturity': maturity }),
    ...(kep !== undefined && { 'x-kep': kep }),
  }
  return format === 'v2' ? { ...siblings, ...reference } : { ...siblings, allOf: [reference] }
}

/**
 * Renders the schema of the values of a list or map. A reference has no description, because
 * kubectl would show it after the one of the list.
 */
function renderValues(schema: Schema, components: Components): JsonObject {
  if (schema.definition === undefined) return renderSchema(schema, components)
  const { description: _description, ...rest } = renderSchema(schema, components)
  return rest
}

function renderContent(schema: Schema, components: Components): JsonObject {
  if (schema.definition !== undefined && schema['x-kubernetes-int-or-string'] === true)
    return renderQuantity(components.format)
  const { format } = components
  const shape = format === 'v2' ? shapeForV2(schema) : schema
  const copied: Record<string, JsonValue> = {}
  for (const keyword of COPIED) {
    const value = shape[keyword]
    if (value !== undefined) copied[keyword] = value
  }
  return withMetadata(
    {
      ...copied,
      ...nestedSchemas(shape, components),
      ...validations(shape),
      ...(format === 'v3' && junctors(shape, components)),
    },
    shape,
    components,
  )
}

function validations({ 'x-kubernetes-validations': rules }: Schema): JsonObject {
  return rules ? { 'x-kubernetes-validations': rules.map((rule) => ({ ...rule })) } : {}
}

function renderQuantity(format: OpenApiFormat): JsonObject {
  return format === 'v2' ? { type: 'string' } : { oneOf: [{ type: 'string' }, { type: 'number' }] }
}

function nestedSchemas(
  { properties, items, additionalProperties }: Schema,
  components: Components,
): JsonObject {
  return {
    ...(properties && { properties: renderAll(properties, components) }),
    ...(items && { items: renderValues(items, components) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : renderValues(additionalProperties, components),
    }),
  }
}

function renderAll(schemas: Readonly<Record<string, Schema>>, components: Components): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, renderSchema(schema, components)]),
  )
}

function junctors(
  { nullable, allOf, anyOf, oneOf, not }: Schema,
  components: Components,
): JsonObject {
  const rendered = (schemas: readonly Schema[]) =>
    schemas.map((schema) => renderSchema(schema, components))
  return {
    ...(nullable !== undefined && { nullable }),
    ...(allOf && { allOf: rendered(allOf) }),
    ...(anyOf && { anyOf: rendered(anyOf) }),
    ...(oneOf && { oneOf: rendered(oneOf) }),
    ...(not && { not: renderSchema(not, components) }),
  }
}

/** Embedded objects have the metadata of objects. */
function withMetadata(rendered: JsonObject, schema: Schema, components: Components): JsonObject {
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema['x-kubernetes-embedded-resource'] !== true) return rendered
  if (isOpen && components.format === 'v2') return rendered
  const text = { type: 'string' }
  return {
    ...rendered,
    properties: {
      ...renderAll(schema.properties ?? {}, components),
      apiVersion: text,
      kind: text,
      metadata: describedReference(OBJECT_META, {}, components.format),
    },
  }
}

/**
 * The part of a schema that clients of OpenAPI v2 can process. kubectl would reject null in values
 * with a type, and unknown fields in values with properties.
 */
function shapeForV2(schema: Schema): Schema {
  const { type, items, properties, required, additionalProperties, ...rest } = schema
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  const isNullable = schema.nullable === true
  const keepsContent = !isOpen && !isNullable
  const isArrayWithoutItems = type === 'array' && (!keepsContent || items === undefined)
  const keepsType = !isNullable && !isArrayWithoutItems && !(isOpen && type === 'object')
  const kept = required?.filter((name) => properties?.[name]?.nullable !== true) ?? []
  const hasNullableValues =
    typeof additionalProperties === 'object' && additionalProperties.nullable === true
  return {
    ...rest,
    ...(keepsType && type !== undefined && { type }),
    ...(keepsContent && items && { items }),
    ...(keepsContent && properties && { properties }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...(kept.length > 0 && !hasNullableValues && { required: kept }),
  }
}
