import type { Schema } from '../../model/schema.ts'

const TEXT: Schema = { type: 'string' }

/** The fields of a resource that expressions may use in addition to the declared ones. */
const RESOURCE_PROPERTIES: Readonly<Record<string, Schema>> = {
  apiVersion: TEXT,
  kind: TEXT,
  metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
}

const EXTENDED = new WeakMap<Schema, Schema>()

/** The schema with type and name of a resource, for the root and embedded resources. */
export function resourceSchema(schema: Schema): Schema {
  const cached = EXTENDED.get(schema)
  if (cached) return cached
  const extended: Schema = {
    ...schema,
    properties: { ...schema.properties, ...RESOURCE_PROPERTIES },
  }
  EXTENDED.set(schema, extended)
  return extended
}
