import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type FieldType, memberType } from './field-type.ts'

/** Bytes of `"f:":{},` around the name of a field in FieldsV1. */
const FIELD_BYTES = 8
/** Bytes of `"":,` around the name of a member in JSON. */
const MEMBER_BYTES = 4

/**
 * A lower bound of the bytes of a value as JSON, and of its fields in FieldsV1 if it has a type. It
 * visits each key at most once, writes no text, and stops as soon as the sum exceeds the limit.
 */
export function leastBytes(value: JsonValue, type: FieldType | null, limit: number): number {
  if (typeof value === 'string') return value.length + 2
  if (Array.isArray(value)) return leastBytesOfList(value, limit)
  return isJsonObject(value) ? leastBytesOfMembers(value, type, limit) : 1
}

/** Items with keys have fields too. They are not counted. */
function leastBytesOfList(items: readonly JsonValue[], limit: number): number {
  let bytes = 2
  for (const item of items) {
    bytes += leastBytes(item, null, limit - bytes) + 1
    if (bytes > limit) break
  }
  return bytes
}

function leastBytesOfMembers(object: JsonObject, type: FieldType | null, limit: number): number {
  const map = type === null || type.map === null || type.map.isAtomic ? null : type.map
  const overhead = MEMBER_BYTES + (map === null ? 0 : FIELD_BYTES)
  // Braces, without the commas that the last member lacks.
  let bytes = map === null ? 1 : 0
  for (const name of Object.keys(object)) {
    const member = object[name]
    // Null members may be dropped.
    if (member === undefined || member === null) continue
    const memberFields = map === null ? null : memberType(map, name)
    const names = map === null ? name.length : 2 * name.length
    bytes += names + overhead + leastBytes(member, memberFields, limit - bytes)
    if (bytes > limit) break
  }
  return bytes
}
