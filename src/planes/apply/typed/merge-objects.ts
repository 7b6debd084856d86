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
  const members = new Map(isJsonObject(live) ? Object.entries(live) : [])
  const changes = isJsonObject(applied) ? Object.entries(applied) : []
  if (members.size === 0 && changes.length === 0) return applied
  for (const [name, value] of changes) {
    const current = members.get(name)
    members.set(
      name,
      current === undefined ? value : mergeObjects(memberType(type, name), current, value),
    )
  }
  return Object.fromEntries(members)
}
