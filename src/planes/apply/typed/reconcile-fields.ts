import { type FieldNode, type FieldSet, LEAF } from '../fields/field-set.ts'
import { fieldNameOf } from '../fields/path-element.ts'
import { DEDUCED, type FieldType } from './field-type.ts'

/**
 * Adapts a set to a schema that has changed: a manager of parts of an object or list that has
 * become atomic owns all of it.
 */
export function reconcileFields(type: FieldType, set: FieldSet): FieldSet {
  if (set.size === 0) return set
  let result: Map<string, FieldNode> | null = null
  for (const [element, node] of set) {
    if (node.children.size === 0) continue
    const child = childType(type, element)
    const reconciled = child === null ? node : reconcileNode(child, node)
    if (reconciled === node) continue
    result ??= new Map(set)
    result.set(element, reconciled)
  }
  return result ?? set
}

function reconcileNode(type: FieldType, node: FieldNode): FieldNode {
  if (isAtomic(type)) return LEAF
  const children = reconcileFields(type, node.children)
  return children === node.children ? node : { isMember: node.isMember, children }
}

/** The type of a field or item. Null if the field is undeclared, or if its type is unknown. */
export function childType({ map, scalar, list }: FieldType, element: string): FieldType | null {
  if (map === null) return scalar === null ? (list?.items ?? null) : null
  const name = fieldNameOf(element)
  if (name === null) return null
  return map.declared(name) ?? map.others
}

/** Whether managers own values of the type as a whole. */
export function isAtomic({ map, scalar, list }: FieldType): boolean {
  if (map === null) return scalar === null && list?.relation === 'atomic'
  return map.isAtomic && (map.hasDeclared || map.others !== DEDUCED)
}
