import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import type { FieldNode, FieldSet } from '../fields/field-set.ts'
import { fieldNameOf, isKeyElement } from '../fields/path-element.ts'
import { type FieldType, memberType } from './field-type.ts'

/** Adds the declared fields that only have children in the set, such as `spec`, as members. */
export function* withNamedFields(type: FieldType | null, set: FieldSet): Steps<FieldSet> {
  let named: Map<string, FieldNode> | null = null
  for (const [element, node] of set) {
    if (endsStep()) yield
    const isLeaf = node.children.size === 0
    const children = isLeaf
      ? node.children
      : yield* withNamedFields(elementType(type, element), node.children)
    const isMember = node.isMember || isDeclared(type, element)
    if (isMember === node.isMember && children === node.children) continue
    named ??= new Map(set)
    named.set(element, { isMember, children })
  }
  return named ?? set
}

function isDeclared(type: FieldType | null, element: string): boolean {
  const name = fieldNameOf(element)
  return name !== null && type?.map?.declared(name) !== undefined
}

function elementType(type: FieldType | null, element: string): FieldType | null {
  const name = fieldNameOf(element)
  if (name !== null) return type?.map ? memberType(type.map, name) : null
  return isKeyElement(element) ? (type?.list?.items ?? null) : null
}
