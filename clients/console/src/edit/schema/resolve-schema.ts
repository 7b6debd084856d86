import { isObject } from '../json/is-object.ts'
import type { JsonSchema } from './json-schema.ts'

/** Follows `$ref` and merges `allOf`, so that the fields of the result are those of the value. */
export function resolveSchema(document: unknown, schema: JsonSchema): JsonSchema {
  return resolve(document, schema, MAX_REFERENCES)
}

/** Guards against references that form a cycle. */
const MAX_REFERENCES = 32

function resolve(document: unknown, schema: JsonSchema, left: number): JsonSchema {
  if (left === 0) return {}
  const { $ref, allOf = [], ...own } = schema
  const parts = [...($ref === undefined ? [] : [target(document, $ref)]), ...allOf].map((part) =>
    resolve(document, part, left - 1),
  )
  return parts.reduce<JsonSchema>(merge, own)
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  const required = [...new Set([...(other.required ?? []), ...(one.required ?? [])])]
  const properties = { ...other.properties, ...one.properties }
  return {
    ...other,
    ...one,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}

function target(document: unknown, reference: string): JsonSchema {
  if (!reference.startsWith('#/')) return {}
  const found = reference
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), document)
  return isObject(found) ? found : {}
}
