import type { ResourceType, ResourceVersion } from '../../model/resource-type.ts'
import type { Schema } from '../../model/schema.ts'
import { API_VERSION, KIND } from '../../native/schemas/field-schemas.ts'
import { kindComponent, listComponent } from './component-names.ts'
import { LIST_METADATA, METADATA } from './meta-schemas.ts'
import { type Components, define, type OpenApiFormat } from './render-schema.ts'

/** The schema of a kind with the metadata that every object has. */
export function objectSchema(schema: Schema, format: OpenApiFormat): Schema {
  // Clients of v2 would reject unknown fields if the schema had any properties.
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && format === 'v2')
    return { type: 'object' }
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: API_VERSION,
      kind: KIND,
      metadata: METADATA,
    },
  }
}

function listSchema(item: string, kind: string): Schema {
  return {
    type: 'object',
    description: `A list of objects of kind ${kind}.`,
    properties: {
      apiVersion: API_VERSION,
      items: { type: 'array', description: 'The objects.', items: { definition: item } },
      kind: KIND,
      metadata: LIST_METADATA,
    },
    required: ['items'],
  }
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Marks a definition with the kinds that it describes. */
export function markKinds(
  { definitions }: Components,
  name: string,
  kinds: readonly GroupVersionKind[],
): void {
  const content = definitions.get(name) ?? {}
  const marks = kinds.map(({ group, version, kind }) => ({ group, kind, version }))
  definitions.set(name, { ...content, 'x-kubernetes-group-version-kind': marks })
}

function markSelectableFields(
  { definitions }: Components,
  name: string,
  fields: readonly string[],
): void {
  if (fields.length === 0) return
  const marks = fields.map((fieldPath) => ({ fieldPath }))
  definitions.set(name, { ...definitions.get(name), 'x-kubernetes-selectable-fields': marks })
}

/** Adds the definitions of a resource's objects and lists. */
export function defineKind(
  type: ResourceType,
  version: ResourceVersion,
  components: Components,
): void {
  const { group, kind, listKind } = type
  const item = kindComponent(type, version)
  define(item, objectSchema(version.schema, components.format), components)
  markKinds(components, item, [{ group, version: version.name, kind }])
  if (type.isCustom) markSelectableFields(components, item, version.selectableFields)
  if (!type.verbs.includes('list')) return
  const list = listComponent(type, version)
  define(list, listSchema(item, kind), components)
  markKinds(components, list, [{ group, version: version.name, kind: listKind }])
}
