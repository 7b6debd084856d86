import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type FieldNode, type FieldSet, LEAF, NO_FIELDS } from '../fields/field-set.ts'
import { fieldElement } from '../fields/path-element.ts'
import {
  type FieldType,
  isScalar,
  type ListType,
  type MapType,
  memberType,
  shapeOf,
} from './field-type.ts'
import { groupItems } from './list-elements.ts'

/** All fields and items of an object that a manager can own. */
export function* fieldsOf(type: FieldType, value: JsonValue): Steps<FieldSet> {
  return (yield* nodeOf(type, value)).children
}

function* nodeOf(type: FieldType, value: JsonValue): Steps<FieldNode> {
  const shape = shapeOf(type, value)
  if (shape === 'map' && type.map !== null) return yield* mapNode(type.map, value)
  if (shape === 'list' && type.list !== null) return yield* listNode(type.list, value)
  return LEAF
}

function* mapNode(type: MapType, value: JsonValue): Steps<FieldNode> {
  if (type.isAtomic) return LEAF
  const fields = new Map<string, FieldNode>()
  if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const member = value[name]
      if (member === undefined) continue
      if (endsStep()) yield
      const isLeaf = isScalar(memberType(type, name), member)
      const node = isLeaf ? LEAF : yield* memberNode(type, name, member)
      if (!isAbsent(node)) fields.set(fieldElement(name), node)
    }
  }
  return parentOf(fields)
}

function* memberNode(type: MapType, name: string, value: JsonValue): Steps<FieldNode> {
  const declared = type.declared(name)
  const node = yield* nodeOf(declared ?? memberType(type, name), value)
  // Declared fields with children belong to all; entries of maps have an owner.
  const isOwned = declared === undefined || value === null || isEmptyObject(value)
  return isOwned && !node.isMember ? { isMember: true, children: node.children } : node
}

function* listNode(type: ListType, value: JsonValue): Steps<FieldNode> {
  if (type.relation === 'atomic') return LEAF
  const items = new Map<string, FieldNode>()
  const groups = yield* groupItems(type, Array.isArray(value) ? value : [])
  for (const [element, group] of groups) {
    if (endsStep()) yield
    const [item] = group
    if (item === undefined || group.length > 1) items.set(element, LEAF)
    else {
      const { children } = yield* nodeOf(type.items, item)
      items.set(element, { isMember: true, children })
    }
  }
  return parentOf(items)
}

function parentOf(children: FieldSet): FieldNode {
  return { isMember: false, children: children.size === 0 ? NO_FIELDS : children }
}

function isAbsent({ isMember, children }: FieldNode): boolean {
  return !isMember && children.size === 0
}

function isEmptyObject(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length === 0
}
