import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
} from '../../../lib/cel/types/type.ts'
import type { Schema } from '../../model/schema.ts'
import { celFieldName } from './field-names.ts'
import { resourceSchema } from './root-schema.ts'

/** The largest request in Kubernetes, from which it estimates the sizes of values without limit. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024
const MAX_TEXT = MAX_REQUEST_BYTES - 2

/** The type of a value in CEL with the sizes that its schema allows. */
export interface SchemaType {
  readonly type: Type
  /** The most items, members, or characters. */
  readonly maxSize: number
  /** The fewest bytes of the value as JSON. */
  readonly minBytes: number
  /** The type of items, or of the values of a map. */
  readonly item: SchemaType | null
  readonly fields: ReadonlyMap<string, SchemaType>
}

const NO_FIELDS: ReadonlyMap<string, SchemaType> = new Map()

/** The types of schemas, without those of resources. */
const TYPES = new WeakMap<Schema, SchemaType | typeof INVISIBLE>()
const INVISIBLE = Symbol('invisible to expressions')
let structs = 0

/** The type of values of a schema; null if expressions cannot see them. */
export function schemaType(schema: Schema): SchemaType | null {
  const declared =
    schema['x-kubernetes-embedded-resource'] === true ? resourceSchema(schema) : schema
  const cached = TYPES.get(declared)
  if (cached !== undefined) return cached === INVISIBLE ? null : cached
  const type = computed(declared)
  TYPES.set(declared, type ?? INVISIBLE)
  return type
}

function scalar(type: Type, minBytes: number, maxSize = 0): SchemaType {
  return { type, minBytes, maxSize, item: null, fields: NO_FIELDS }
}

function computed(schema: Schema): SchemaType | null {
  const { maxLength } = schema
  if (schema['x-kubernetes-int-or-string'] === true) {
    return scalar(DYN, 1, maxLength === undefined ? MAX_TEXT : 4 * Math.max(0, maxLength))
  }
  switch (schema.type) {
    case 'array':
      return list(schema)
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? map(schema, schema.additionalProperties)
        : object(schema)
    case 'string':
      return text(schema)
    case 'boolean':
      return scalar(BOOL, 4)
    case 'number':
      return scalar(DOUBLE, 1)
    case 'integer':
      return scalar(INT, 1)
    default:
      return null
  }
}

function list({ items, maxItems }: Schema): SchemaType | null {
  const item = items ? schemaType(items) : null
  if (!item) return null
  return {
    type: listOf(item.type),
    maxSize: Math.max(0, maxItems ?? Math.floor(MAX_TEXT / (item.minBytes + 1))),
    minBytes: 2,
    item,
    fields: NO_FIELDS,
  }
}

function map({ maxProperties }: Schema, values: Schema): SchemaType | null {
  const item = schemaType(values)
  if (!item) return null
  return {
    type: mapOf(STRING, item.type),
    // A member has a quoted name, a colon and a comma.
    maxSize: Math.max(0, maxProperties ?? Math.floor(MAX_TEXT / (item.minBytes + 6))),
    minBytes: 2,
    item,
    fields: NO_FIELDS,
  }
}

function object({ properties = {}, required = [] }: Schema): SchemaType {
  const fields = new Map<string, SchemaType>()
  const isRequired = new Set(required)
  let minBytes = 2
  for (const [property, schema] of Object.entries(properties)) {
    const field = schemaType(schema)
    if (!field) continue
    const name = celFieldName(property)
    if (name !== null) fields.set(name, field)
    if (isRequired.has(property) && schema.default === undefined) {
      minBytes += property.length + field.minBytes + 4
    }
  }
  structs += 1
  const types = new Map([...fields].map(([name, { type }]) => [name, type]))
  return { type: struct(`object${structs}`, types), maxSize: 0, minBytes, item: null, fields }
}

function text({ format, maxLength, enum: values = [] }: Schema): SchemaType {
  switch (format) {
    case 'byte':
      return scalar(BYTES, 2, maxLength === undefined ? MAX_TEXT : Math.max(0, maxLength))
    case 'duration':
      return scalar(DURATION, 3, 32)
    case 'date':
      return scalar(TIMESTAMP, 12, 12)
    case 'date-time':
      return scalar(TIMESTAMP, 21, 32)
    default: {
      if (maxLength !== undefined) return scalar(STRING, 2, 4 * Math.max(0, maxLength))
      const longest = values.reduce<number>((most, value) => {
        return typeof value === 'string' ? Math.max(most, Buffer.byteLength(value)) : most
      }, 0)
      return scalar(STRING, 2, values.length > 0 ? longest : MAX_TEXT)
    }
  }
}
