import type { JsonSchema } from './json-schema.ts'
import { resolveSchema } from './resolve-schema.ts'

/** A schema and the document that its references point into. */
export interface SchemaSource {
  readonly document: unknown
  readonly schema: JsonSchema
}

/** The schemas that a value at a path can have: several below `oneOf` and `anyOf`. */
export function schemasAt(
  { document, schema }: SchemaSource,
  path: readonly (string | number)[],
): readonly JsonSchema[] {
  return path.reduce<readonly JsonSchema[]>(
    (schemas, key) => schemas.flatMap((one) => variants(document, child(one, key))),
    variants(document, schema),
  )
}

function variants(document: unknown, schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (schema === undefined) return []
  const { oneOf = [], anyOf = [], ...own } = resolveSchema(document, schema)
  const branches = [...oneOf, ...anyOf]
  if (branches.length === 0) return [own]
  return branches.map((branch) => resolveSchema(document, { ...own, allOf: [branch] }))
}

function child(schema: JsonSchema, key: string | number): JsonSchema | undefined {
  if (typeof key === 'number') return schema.items
  const { properties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}
