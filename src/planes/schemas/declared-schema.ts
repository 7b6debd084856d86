import type { Schema } from '../model/schema.ts'

/**
 * The schema that applies to a member of an object: undefined if the member is unknown, and null if
 * it is allowed without a schema.
 */
export function schemaOfMember(schema: Schema, name: string): Schema | null | undefined {
  const { properties, additionalProperties } = schema
  if (properties && Object.hasOwn(properties, name)) return properties[name]
  if (additionalProperties === undefined || additionalProperties === false) return undefined
  return additionalProperties === true ? null : additionalProperties
}
