import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { schemaOfMember } from './declared-schema.ts'
import { removeNulls } from './defaults.ts'
import { METADATA_SCHEMA } from './metadata-schema.ts'
import { mapItems, mapMembers } from '../../lib/json/map-json.ts'
import { childPath } from './validation/validation-run.ts'

/** The most unknown fields that are reported. All are removed. */
const MAX_UNKNOWN = 100

/** An object without unknown fields. */
interface Pruned {
  /** The object itself if it has none. */
  readonly object: JsonObject
  /** Paths such as `spec.foo[0].bar`. */
  readonly unknownFields: readonly string[]
  /** Whether `removeNulls` may find a null. */
  readonly hasNulls: boolean
}

/** The findings of one walk. */
interface Walk {
  readonly unknownFields: string[]
  hasNulls: boolean
}

/** Removes the fields of a resource that its schema does not declare, also in `metadata`. */
export function prune(object: JsonObject, schema: Schema): Pruned {
  const walk: Walk = { unknownFields: [], hasNulls: false }
  const root = { ...schema, 'x-kubernetes-embedded-resource': true }
  return { object: pruneObject(object, root, '', walk), ...walk }
}

/** The schema is null if nothing is declared. */
// oxlint-disable-next-line max-params -- called for each part of a value: no object per call
function pruneValue(value: JsonValue, schema: Schema | null, path: string, walk: Walk): JsonValue {
  if (isJsonArray(value)) {
    const { items = null } = schema ?? {}
    if (items === null && keepsUnknown(schema)) return value
    // The items of a list that keeps unknown fields keep theirs, too.
    const known = items && keepsUnknown(schema) ? { ...items, ...KEEP } : items
    return mapItems(value, (item, index) =>
      isLeaf(item) ? item : pruneValue(item, known, `${path}[${index}]`, walk),
    )
  }
  return isJsonObject(value) ? pruneObject(value, schema, path, walk) : value
}

// oxlint-disable-next-line max-params -- called for each object in a value: no object per call
function pruneObject(
  object: JsonObject,
  schema: Schema | null,
  path: string,
  walk: Walk,
): JsonObject {
  const isResource = schema?.['x-kubernetes-embedded-resource'] === true
  return mapMembers(object, (name, member) => {
    if (member === null) walk.hasNulls = true
    if (isResource && name === 'metadata') return pruneMetadata(member, childPath(path, name), walk)
    if (isResource && (name === 'apiVersion' || name === 'kind')) return member
    const declared = schema === null ? undefined : schemaOfMember(schema, name)
    if (declared !== undefined) {
      return isLeaf(member) ? member : pruneValue(member, declared, childPath(path, name), walk)
    }
    if (keepsUnknown(schema)) return member
    if (walk.unknownFields.length < MAX_UNKNOWN) walk.unknownFields.push(childPath(path, name))
    return undefined
  })
}

function isLeaf(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null
}

function pruneMetadata(metadata: JsonValue, path: string, walk: Walk): JsonValue {
  const known = pruneValue(metadata, METADATA_SCHEMA, path, walk)
  return isJsonObject(known) ? removeNulls(known, METADATA_SCHEMA) : known
}

const KEEP: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

function keepsUnknown(schema: Schema | null): boolean {
  return schema?.['x-kubernetes-preserve-unknown-fields'] === true
}
