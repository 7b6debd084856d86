import type { Schema } from 'flotilla/planes'

type Mark = Pick<Schema, 'x-maturity' | 'x-kep'>

/** The number of the proposal that describes snapshots. */
const KEP = '0694'
/** Definitions that all kinds share. Their fields have no marks. */
const SHARED_DEFINITIONS = 'io.k8s.'

/** Marks a schema and its fields as released upstream, unless they have a mark. */
export function stable(schema: Schema): Schema {
  return marked(schema, { 'x-maturity': 'stable' })
}

/** Marks a schema and its fields as part of the proposal, unless they have a mark. */
export function proposed(schema: Schema): Schema {
  return marked(schema, { 'x-maturity': 'proposed', 'x-kep': KEP })
}

/** Marks a schema and its fields as Flotilla's extension, unless they have a mark. */
export function flotilla(schema: Schema): Schema {
  return marked(schema, { 'x-maturity': 'flotilla' })
}

/** Marks the fields of a kind other than apiVersion, kind and metadata. */
export function markedFields(
  mark: (schema: Schema) => Schema,
  properties: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, mark(field)]))
}

function marked(schema: Schema, mark: Mark): Schema {
  const { properties, items, additionalProperties } = schema
  const own = schema['x-maturity'] === undefined ? { ...schema, ...mark } : schema
  if (schema.definition?.startsWith(SHARED_DEFINITIONS) === true) return own
  const nested = (field: Schema): Schema => marked(field, mark)
  return {
    ...own,
    ...(properties && { properties: markedFields(nested, properties) }),
    ...(items && { items: nested(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: nested(additionalProperties),
    }),
  }
}
