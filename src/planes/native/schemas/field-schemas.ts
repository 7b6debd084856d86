import type { JsonValue } from '../../../lib/json/json.ts'
import type { Schema } from '../../model/schema.ts'

/** A value of a map or list: a text without a description. */
export const TEXT: Schema = { type: 'string' }
/** A value of a map: bytes in base64. */
export const BYTES: Schema = { type: 'string', format: 'byte' }

/** A text. */
export function text(description: string): Schema {
  return { type: 'string', description }
}

const CONVENTIONS =
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

/** `apiVersion`, described as in Kubernetes. */
export const API_VERSION: Schema = text(
  `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
)
/** `kind`, described as in Kubernetes. */
export const KIND: Schema = text(
  `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
)

/** A point in time in RFC 3339, in seconds. */
export function time(description: string): Schema {
  return { type: 'string', format: 'date-time', description }
}

/** A whole number of 32 bits. */
export function integer(description: string): Schema {
  return { type: 'integer', format: 'int32', description }
}

/** A whole number of 64 bits. */
export function longInteger(description: string): Schema {
  return { type: 'integer', format: 'int64', description }
}

/** True or false. */
export function flag(description: string): Schema {
  return { type: 'boolean', description }
}

/** Bytes in base64. */
export function bytes(description: string): Schema {
  return { type: 'string', format: 'byte', description }
}

/** Values by key. */
export function mapOf(value: Schema, description: string): Schema {
  return { type: 'object', additionalProperties: value, description }
}

/** A list that is replaced as a whole. */
export function atomicList(items: Schema, description: string): Schema {
  return { type: 'array', items, description, 'x-kubernetes-list-type': 'atomic' }
}

/** A list of objects with distinct keys that strategic merge patches replace as a whole. */
export function mapList(items: Schema, keys: readonly string[], description: string): Schema {
  return {
    type: 'array',
    items,
    description,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  }
}

/** A list of objects with distinct keys. Patches merge objects with the same first key. */
export function keyedList(items: Schema, keys: readonly string[], description: string): Schema {
  return {
    ...mapList(items, keys, description),
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': keys[0] ?? 'name',
  }
}

/** An object that has a definition in OpenAPI documents. */
export function definition(
  name: string,
  { description, properties, required = [] }: ObjectFields,
): Schema {
  return {
    type: 'object',
    definition: name,
    description,
    properties,
    ...(required.length > 0 && { required }),
  }
}

/** The fields of an object. */
export interface ObjectFields {
  readonly description: string
  readonly properties: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** One of several texts. */
export function choice(values: readonly string[], description: string): Schema {
  return { type: 'string', enum: values, description }
}

/** A text for which a value is set if it is absent. */
export function withDefault(schema: Schema, value: JsonValue): Schema {
  return { ...schema, default: value }
}

/** A value that is replaced as a whole. */
export function atomicMap(schema: Schema): Schema {
  return { ...schema, 'x-kubernetes-map-type': 'atomic' }
}

/** A list of texts that is replaced as a whole. */
export function textList(description: string): Schema {
  return atomicList(TEXT, description)
}
