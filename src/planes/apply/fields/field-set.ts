/** A field or item in a set, with the fields below it that are in the set. */
export interface FieldNode {
  /** Whether the field itself is in the set; its children may be without it. */
  readonly isMember: boolean
  readonly children: FieldSet
}

/**
 * A set of fields: a tree of path elements. It has no node that is neither a member nor a parent.
 * Functions never change a set, and return the same set if the result equals it.
 */
export type FieldSet = ReadonlyMap<string, FieldNode>

export const NO_FIELDS: FieldSet = new Map()

/** A field without children. */
export const LEAF: FieldNode = { isMember: true, children: NO_FIELDS }

/** The fields of either set. */
export function union(first: FieldSet, second: FieldSet): FieldSet {
  if (second.size === 0 || first === second) return first
  if (first.size === 0) return second
  let result: Map<string, FieldNode> | null = null
  for (const [element, other] of second) {
    const node = first.get(element)
    const joined = node === undefined ? other : unionOfNodes(node, other)
    if (joined === node) continue
    result ??= new Map(first)
    result.set(element, joined)
  }
  return result ?? first
}

function unionOfNodes(first: FieldNode, second: FieldNode): FieldNode {
  const isMember = first.isMember || second.isMember
  const children = union(first.children, second.children)
  if (isMember === first.isMember && children === first.children) return first
  return { isMember, children }
}

/** The fields of both sets. */
export function intersection(first: FieldSet, second: FieldSet): FieldSet {
  if (first.size > second.size) return intersection(second, first)
  let result: Map<string, FieldNode> | null = null
  for (const [element, node] of first) {
    const other = second.get(element)
    if (other === undefined) continue
    const isMember = node.isMember && other.isMember
    const children = intersection(node.children, other.children)
    if (!isMember && children.size === 0) continue
    result ??= new Map()
    result.set(element, children.size === 0 ? LEAF : { isMember, children })
  }
  return result ?? NO_FIELDS
}

/** The fields of the first set that are not in the second. Children of removed fields stay. */
export function difference(first: FieldSet, second: FieldSet): FieldSet {
  return subtract(first, second, (node, removed) => ({
    isMember: node.isMember && !removed.isMember,
    children: difference(node.children, removed.children),
  }))
}

/** The fields of the first set that are neither in the second nor below one of its fields. */
export function recursiveDifference(first: FieldSet, second: FieldSet): FieldSet {
  return subtract(first, second, (node, removed) =>
    removed.isMember
      ? { isMember: false, children: NO_FIELDS }
      : {
          isMember: node.isMember,
          children: recursiveDifference(node.children, removed.children),
        },
  )
}

function subtract(
  first: FieldSet,
  second: FieldSet,
  remaining: (node: FieldNode, removed: FieldNode) => FieldNode,
): FieldSet {
  if (first.size === 0) return first
  let result: Map<string, FieldNode> | null = null
  for (const [element, removed] of second) {
    const node = first.get(element)
    if (node === undefined) continue
    const rest = remaining(node, removed)
    if (rest.isMember === node.isMember && rest.children === node.children) continue
    result ??= new Map(first)
    if (rest.isMember || rest.children.size > 0) result.set(element, rest)
    else result.delete(element)
  }
  return result ?? first
}
