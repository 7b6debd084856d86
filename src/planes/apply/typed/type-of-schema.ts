import type { Schema } from '../../model/schema.ts'
import { OBJECT_META_SCHEMA } from '../../schemas/object-meta-schema.ts'
import {
  DEDUCED,
  type FieldType,
  type ListType,
  type MapType,
  type ScalarType,
  UNTYPED,
} from './field-type.ts'

/** Properties that a schema inherits from the schemas around it. */
interface Context {
  /** Whether objects may have undeclared fields. */
  readonly preservesUnknown: boolean
}

const TEXT: Schema = { type: 'string' }

const IDENTITY = { apiVersion: TEXT, kind: TEXT, metadata: OBJECT_META_SCHEMA }

const types = new WeakMap<Schema, FieldType>()

/** The type of the objects with this schema. It is computed once. */
export function typeOfObjects(schema: Schema): FieldType {
  const known = types.get(schema)
  if (known !== undefined) return known
  const properties = { ...schema.properties, ...IDENTITY }
  const type = typeOf({ ...schema, type: 'object', properties }, { preservesUnknown: false })
  types.set(schema, type)
  return type
}

function typeOf(schema: Schema, context: Context): FieldType {
  const preservesUnknown =
    context.preservesUnknown || schema['x-kubernetes-preserve-unknown-fields'] === true
  const inner = { preservesUnknown }
  switch (schema.type) {
    case undefined:
      return { scalar: 'untyped', list: listTypeOf(schema, inner), map: mapTypeOf(schema, inner) }
    case 'object':
      return { scalar: null, list: null, map: mapTypeOf(schema, inner) }
    case 'array':
      return { scalar: null, list: listTypeOf(schema, inner), map: null }
    default:
      return { scalar: scalarTypeOf(schema), list: null, map: null }
  }
}

function scalarTypeOf({ type, format = '' }: Schema): ScalarType {
  if (type === 'integer' || type === 'number') return 'numeric'
  if (type === 'boolean') return 'boolean'
  return format === '' || format === 'byte' ? 'string' : 'untyped'
}

function mapTypeOf(schema: Schema, context: Context): MapType {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const properties = isEmbedded ? { ...schema.properties, ...IDENTITY } : (schema.properties ?? {})
  const compiled = new Map<string, FieldType>()
  const hasDeclared = Object.keys(properties).length > 0
  return {
    isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
    hasDeclared,
    others: othersOf(schema, hasDeclared, context),
    // Compiled on first use, because most fields of large schemas are absent from most objects.
    declared: (name) => {
      const known = compiled.get(name)
      if (known !== undefined) return known
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (property === undefined) return undefined
      const type = typeOf(property, context)
      compiled.set(name, type)
      return type
    },
  }
}

function othersOf(schema: Schema, hasDeclared: boolean, context: Context): FieldType | null {
  const { additionalProperties } = schema
  if (additionalProperties === undefined) {
    return context.preservesUnknown || !hasDeclared ? DEDUCED : null
  }
  if (typeof additionalProperties === 'object') return typeOf(additionalProperties, context)
  return additionalProperties ? DEDUCED : null
}

function listTypeOf(schema: Schema, context: Context): ListType {
  const { items } = schema
  const { relation, keys } = relationOf(schema)
  return {
    relation,
    keys,
    items: items === undefined ? UNTYPED : typeOf(items, context),
    keyDefault: (name) => {
      const properties = items?.properties ?? {}
      return Object.hasOwn(properties, name) ? properties[name]?.default : undefined
    },
  }
}

/** The list type; native types without one have a patch strategy. */
function relationOf(schema: Schema): Pick<ListType, 'relation' | 'keys'> {
  const listType = schema['x-kubernetes-list-type']
  if (listType !== undefined) {
    const keys = listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : []
    return { relation: listType, keys }
  }
  const strategy = schema['x-kubernetes-patch-strategy']
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys')
    return { relation: 'atomic', keys: [] }
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  return mergeKey === undefined
    ? { relation: 'set', keys: [] }
    : { relation: 'map', keys: [mergeKey] }
}
