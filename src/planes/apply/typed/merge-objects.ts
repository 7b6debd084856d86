import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type FieldType, isScalar, type MapType, memberType, shapeOf } from './field-type.ts'
import { mergeLists } from './merge-lists.ts'

/** Merges an applied value into the live one. Leaves have the applied value; nothing is removed. */
export function* mergeObjects(
  type: FieldType,
  live: JsonValue,
  applied: JsonValue,
): Steps<JsonValue> {
  const shape = shapeOf(type, applied)
  if (shape === 'map' && type.map !== null) return yield* mergeMaps(type.map, live, applied)
  if (shape === 'list' && type.list !== null) {
    return yield* mergeLists(type.list, { live, applied, mergeItem: mergeObjects })
  }
  return applied
}

function* mergeMaps(type: MapType, live: JsonValue, applied: JsonValue): Steps<JsonValue> {
  if (type.isAtomic) return applied
  if (!isJsonObject(live) || Object.keys(live).length === 0) return applied
  if (!isJsonObject(applied)) return live
  let members: Map<string, JsonValue> | null = null
  for (const name of Object.keys(applied)) {
    const value = applied[name]
    if (value === undefined) continue
    if (endsStep()) yield
    const current = Object.hasOwn(live, name) ? live[name] : undefined
    const inner = memberType(type, name)
    const isReplaced = current === undefined || isScalar(inner, value)
    const merged = isReplaced ? value : yield* mergeObjects(inner, current, value)
    if (merged === current) continue
    members ??= new Map(Object.entries(live))
    members.set(name, merged)
  }
  if (members === null) return live
  yield
  return Object.fromEntries(members)
}
