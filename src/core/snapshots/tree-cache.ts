import type { Change } from '../model/change.ts'
import { NO_OWNER } from '../model/resource.ts'
import { isInScope, NO_TENANT } from '../model/tenant.ts'
import type { RootName } from '../storage/snapshots/read-subtree.ts'
import type { Subtree } from './subtree.ts'

/** A name like this could be an id that is not in memory, and an id goes before a name. */
const LIKE_AN_ID = /^2[0-9A-Za-z]{26}$/

/** Trees by root, the latest used last, found by any of their resources. */
export class TreeCache {
  readonly #maxBytes: number
  readonly #trees = new Map<string, Subtree>()
  /** The tree of each resource. */
  readonly #byMember = new Map<string, Subtree>()
  /** Live roots by tenant, kind and name. */
  readonly #byName = new Map<string, Subtree>()
  #bytes = 0

  /** Keeps about so many bytes of trees. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get size(): { readonly trees: number; readonly bytes: number } {
    return { trees: this.#trees.size, bytes: this.#bytes }
  }

  /** The tree of this root, which is now the latest used; null if it is not here. */
  find(root: RootName): Subtree | null {
    const { kind, idOrName } = root
    const byId = this.#trees.get(idOrName)
    const isFound = byId?.root?.kind === kind && isInScope(root.tenant, byId.tenant)
    const tenant = root.tenant ?? NO_TENANT
    const tree = isFound ? byId : this.#byName.get(nameKey({ tenant, kind, name: idOrName }))
    if (!tree) return null
    this.#trees.delete(tree.id)
    this.#trees.set(tree.id, tree)
    return tree
  }

  /** Keeps a tree that is not here, where it fits; the least recently used fall out. */
  put(tree: Subtree): void {
    if (tree.bytes > this.#maxBytes) return
    this.#trees.set(tree.id, tree)
    this.#bytes += tree.bytes
    for (const id of tree.members) this.#byMember.set(id, tree)
    this.#noteName(tree)
    this.#evict()
  }

  /** Applies a change to the tree that it belongs to, if that is here. */
  apply(change: Change): void {
    const tree = this.#treeOf(change)
    if (!tree) return
    const before = tree.bytes
    tree.apply(change)
    this.#bytes += tree.bytes - before
    if (change.subject === 'resource') {
      const { id } = change.resource
      if (tree.has(id)) this.#byMember.set(id, tree)
      else this.#byMember.delete(id)
      if (!tree.root) this.#remove(tree)
      else if (id === tree.id) this.#noteName(tree)
    }
    this.#evict()
  }

  clear(): void {
    this.#trees.clear()
    this.#byMember.clear()
    this.#byName.clear()
    this.#bytes = 0
  }

  #treeOf(change: Change): Subtree | undefined {
    if (change.subject === 'status') return this.#byMember.get(change.resourceId)
    const { id, ownerId } = change.resource
    const own = this.#byMember.get(id)
    return own ?? (ownerId === NO_OWNER ? undefined : this.#byMember.get(ownerId))
  }

  #evict(): void {
    for (const tree of this.#trees.values()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(tree)
    }
  }

  #remove(tree: Subtree): void {
    this.#trees.delete(tree.id)
    this.#bytes -= tree.bytes
    for (const id of tree.members) this.#byMember.delete(id)
    this.#forgetName(tree)
  }

  #noteName(tree: Subtree): void {
    const { root } = tree
    if (!root || LIKE_AN_ID.test(root.name)) return
    if (root.deletedTime === null) this.#byName.set(nameKey(root), tree)
    else this.#forgetName(tree)
  }

  /** A name that was given up can be another root's by now. */
  #forgetName(tree: Subtree): void {
    const key = nameKey(tree)
    if (this.#byName.get(key) === tree) this.#byName.delete(key)
  }
}

/** Neither kinds nor encoded tenants have a line break. */
function nameKey({ tenant, kind, name }: Pick<Subtree, 'tenant' | 'kind' | 'name'>): string {
  return `${kind}\n${tenant}\n${name}`
}
