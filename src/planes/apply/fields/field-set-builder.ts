import { type FieldSet, NO_FIELDS } from './field-set.ts'

interface DraftNode {
  isMember: boolean
  children: Map<string, DraftNode>
}

/** Shared by all nodes without children. */
const NO_CHILDREN: Map<string, DraftNode> = new Map()

/** Collects fields by their paths. */
export class FieldSetBuilder {
  readonly #root = new Map<string, DraftNode>()

  /** Adds a field. The empty path is ignored, because managers never own a whole object. */
  add(path: readonly string[]): void {
    let siblings = this.#root
    let node: DraftNode | null = null
    for (const element of path) {
      if (node !== null) {
        if (node.children === NO_CHILDREN) node.children = new Map()
        siblings = node.children
      }
      node = siblings.get(element) ?? null
      if (node === null) {
        node = { isMember: false, children: NO_CHILDREN }
        siblings.set(element, node)
      }
    }
    if (node !== null) node.isMember = true
  }

  /** The collected fields. No fields may be added afterwards. */
  build(): FieldSet {
    return this.#root.size === 0 ? NO_FIELDS : this.#root
  }
}

/** The set of these fields. */
export function fieldSetOf(...paths: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder()
  for (const path of paths) builder.add(path)
  return builder.build()
}
