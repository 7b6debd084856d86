import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { schemaOfMember } from './declared-schema.ts'
import { mapItems, mapMembers } from '../../lib/json/map-json.ts'
import { createSchemaWalker } from './walk-schema.ts'

const WALKER = createSchemaWalker((schema) => schema.default !== undefined)

/** The defaults of the properties of a schema, or null if there are none. */
const DEFAULTS = new WeakMap<Schema, readonly (readonly [string, JsonValue])[]>()

/**
 * Sets absent fields to their defaults. A null that the schema does not allow counts as absent.
 * Returns the object itself if nothing changes.
 */
export function applyDefaults(object: JsonObject, schema: Schema): JsonObject {
  return WALKER.hasRelevant(schema) ? defaultObject(object, schema) : object
}

/** Removes nulls that the schema does not allow unless the field has a default. */
export function removeNulls(object: JsonObject, schema: Schema): JsonObject {
  return mapMembers(object, (name, member) => {
    const declared = schemaOfMember(schema, name)
    if (!declared) return member
    return member === null && isAbsent(member, declared) && declared.default === undefined
      ? undefined
      : removeNullsIn(member, declared)
  })
}

function removeNullsIn(value: JsonValue, schema: Schema): JsonValue {
  if (isJsonObject(value)) return removeNulls(value, schema)
  const { items } = schema
  if (!isJsonArray(value) || !items) return value
  return mapItems(value, (item) => removeNullsIn(item, items))
}

function defaultValue(value: JsonValue, schema: Schema): JsonValue {
  if (isJsonObject(value)) return defaultObject(value, schema)
  const { items } = schema
  if (!isJsonArray(value) || !items) return value
  return mapItems(value, (item) => defaultValue(replaced(item, items), items))
}

function defaultObject(object: JsonObject, schema: Schema): JsonObject {
  return mapMembers(withMissing(object, schema), (name, member) => {
    const declared = schemaOfMember(schema, name)
    if (!declared || !WALKER.hasRelevant(declared)) return member
    return defaultValue(replaced(member, declared), declared)
  })
}

function replaced(value: JsonValue, schema: Schema): JsonValue {
  return isAbsent(value, schema) && schema.default !== undefined ? schema.default : value
}

function isAbsent(value: JsonValue, schema: Schema): boolean {
  return value === null && schema.nullable !== true
}

function withMissing(object: JsonObject, schema: Schema): JsonObject {
  const missing = defaultsOf(schema).filter(([name]) => !Object.hasOwn(object, name))
  if (missing.length === 0) return object
  return Object.fromEntries([...Object.entries(object), ...missing])
}

function defaultsOf(schema: Schema): readonly (readonly [string, JsonValue])[] {
  const cached = DEFAULTS.get(schema)
  if (cached) return cached
  const defaults = Object.entries(schema.properties ?? {}).flatMap(
    ([name, { default: value }]): [string, JsonValue][] => {
      return value === undefined ? [] : [[name, value]]
    },
  )
  DEFAULTS.set(schema, defaults)
  return defaults
}
