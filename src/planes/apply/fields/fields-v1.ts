import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type FieldNode, type FieldSet, LEAF, NO_FIELDS } from './field-set.ts'
import { compareElements, elementContent, parseElement } from './path-element.ts'

/** Stands for the field itself next to its children. */
export const SELF = '.'

/** A field without children. */
export const EMPTY: JsonObject = Object.freeze({})

/** Parses a set in the format FieldsV1. Throws a SyntaxError if it is malformed. */
export function parseFields(fields: JsonObject): FieldSet {
  let set: Map<string, FieldNode> | null = null
  for (const [text, value] of Object.entries(fields)) {
    if (text === SELF) continue
    const element = parseElement(text)
    if (element === null) continue
    set ??= new Map()
    set.set(element, parseNode(value))
  }
  return set ?? NO_FIELDS
}

function parseNode(value: JsonValue): FieldNode {
  if (value === null) return LEAF
  if (!isJsonObject(value)) throw new SyntaxError('a field must be an object')
  const children = parseFields(value)
  return children.size === 0 ? LEAF : { isMember: Object.hasOwn(value, SELF), children }
}

/** Serializes a set in the format FieldsV1, with the elements in Kubernetes' order. */
export function serializeFields(set: FieldSet): JsonObject {
  if (set.size === 0) return EMPTY
  return addFields({}, set)
}

function addFields(fields: Record<string, JsonObject>, set: FieldSet): JsonObject {
  for (const [element, node] of sortedEntries(set)) fields[element] = serializeNode(node)
  return fields
}

/** Serializes a field and the fields below it. */
export function serializeNode({ isMember, children }: FieldNode): JsonObject {
  return children.size === 0 ? EMPTY : addFields(isMember ? { [SELF]: EMPTY } : {}, children)
}

function sortedEntries(set: FieldSet): Iterable<[string, FieldNode]> {
  if (set.size < 2) return set
  const compare = comparison()
  return isSorted(set, compare) ? set : sorted(set, compare)
}

type Compare = (first: string, second: string) => number

/** Compares the elements of a set. Each of them is parsed once. */
function comparison(): Compare {
  const contents = new Map<string, JsonValue>()
  const contentOf = (element: string): JsonValue => {
    const known = contents.get(element)
    if (known !== undefined) return known
    const content = elementContent(element)
    contents.set(element, content)
    return content
  }
  return (first, second) => compareElements(first, second, contentOf)
}

/** Whether the elements are in order. Sets that were parsed usually are. */
function isSorted(set: FieldSet, compare: Compare): boolean {
  let last: string | null = null
  for (const element of set.keys()) {
    if (last !== null && compare(last, element) > 0) return false
    last = element
  }
  return true
}

function* sorted(set: FieldSet, compare: Compare): Iterable<[string, FieldNode]> {
  for (const element of [...set.keys()].sort(compare)) {
    const node = set.get(element)
    if (node !== undefined) yield [element, node]
  }
}

/** The paths of a set: the members of a node in order, then those of each child. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): (readonly string[])[] {
  const nodes = [...sortedEntries(set)]
  const members = nodes.filter(([, { isMember }]) => isMember)
  return [
    ...members.map(([element]) => [...prefix, element]),
    ...nodes.flatMap(([element, { children }]) => pathsOf(children, [...prefix, element])),
  ]
}
