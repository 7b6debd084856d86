import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type FieldType, type MapType, memberType, shapeOf } from './field-type.ts'
import { mergeLists } from './merge-lists.ts'

/** Merges an applied value into the live one. Leaves have the applied value; nothing is removed. */
export function mergeObjects(type: FieldType, live: JsonValue, applied: JsonValue): JsonValue {
  const shape = shapeOf(type, applied)
  if (shape === 'map' && type.map !== null) return mergeMaps(type.map, live, applied)
  if (shape === 'list' && type.list !== null) {
    return mergeLists(type.list, { live, applied, mergeItem: mergeObjects })
  }
  return applied
}

function mergeMaps(type: MapType, live: JsonValue, applied: JsonValue): JsonValue {
  if (type.isAtomic) return applied
  if (!isJsonObject(live) || Object.keys(live).length === 0) return applied
  if (!isJsonObject(applied)) return live
  let members: Map<string, JsonValue> | null = null
  for (const [name, value] of Object.entries(applied)) {
    const current = Object.hasOwn(live, name) ? live[name] : undefined
    const merged =
      current === undefined ? value : mergeObjects(memberType(type, name), current, value)
    if (merged === current) continue
    members ??= new Map(Object.entries(live))
    members.set(name, merged)
  }
  return members === null ? live : Object.fromEntries(members)
}
