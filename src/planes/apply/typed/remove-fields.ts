import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { FieldSet } from '../fields/field-set.ts'
import { fieldElement } from '../fields/path-element.ts'
import { type FieldType, type ListType, type MapType, memberType, shapeOf } from './field-type.ts'
import { itemElement } from './list-elements.ts'

/** Removes fields and items from a value. The result is null if nothing remains. */
export function* removeFields(
  type: FieldType,
  value: JsonValue,
  fields: FieldSet,
): Steps<JsonValue> {
  const shape = shapeOf(type, value)
  if (shape === 'map' && type.map !== null) return yield* removeMembers(type.map, value, fields)
  if (shape === 'list' && type.list !== null) return yield* removeItems(type.list, value, fields)
  return value
}

function* removeMembers(type: MapType, value: JsonValue, fields: FieldSet): Steps<JsonValue> {
  if (!isJsonObject(value) || type.isAtomic) return null
  const kept: [string, JsonValue][] = []
  for (const name of Object.keys(value)) {
    if (endsStep()) yield
    const member = value[name]
    if (member === undefined) continue
    const node = fields.get(fieldElement(name))
    if (node === undefined) kept.push([name, member])
    else if (!node.isMember)
      kept.push([name, yield* removeFields(memberType(type, name), member, node.children)])
  }
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function* removeItems(type: ListType, value: JsonValue, fields: FieldSet): Steps<JsonValue> {
  if (!Array.isArray(value) || type.relation === 'atomic') return null
  const kept: JsonValue[] = []
  for (const item of value) {
    if (endsStep()) yield
    const element = itemElement(type, item)
    const node = element === null ? undefined : fields.get(element)
    if (node === undefined) kept.push(item)
    else if (!node.isMember) kept.push(yield* removeFields(type.items, item, node.children))
  }
  return kept.length === 0 ? null : kept
}
