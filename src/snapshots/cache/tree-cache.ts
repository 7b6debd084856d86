import type { Change } from '../../store/model/change.ts'
import { NO_OWNER } from '../../store/model/resource.ts'
import { isInScope, NO_TENANT } from '../../access/tenant.ts'
import type { RootName } from '../storage/read-subtree.ts'
import type { Subtree } from './subtree.ts'

/**
 * The form of ids. A root with such a name is not found by name, because an id takes precedence.
 */
const ID_FORMAT = /^2[0-9A-Za-z]{26}$/

/** Subtrees by root, least recently used first, with an index of all their resources. */
export class TreeCache {
  readonly #maxBytes: number
  readonly #trees = new Map<string, Subtree>()
  /** The subtree of each resource. */
  readonly #byResource = new Map<string, Subtree>()
  /** Subtrees of live roots by tenant, kind and name. */
  readonly #byName = new Map<string, Subtree>()
  #bytes = 0

  /** The most bytes of subtrees to keep, approximately. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get size(): { readonly trees: number; readonly bytes: number } {
    return { trees: this.#trees.size, bytes: this.#bytes }
  }

  /** Returns the subtree of this root and marks it as used; null if it is not cached. */
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

  /** Caches a new subtree unless it exceeds the limit, and evicts the least recently used ones. */
  put(tree: Subtree): void {
    if (tree.bytes > this.#maxBytes) return
    this.#trees.set(tree.id, tree)
    this.#bytes += tree.bytes
    for (const id of tree.ids) this.#byResource.set(id, tree)
    this.#indexName(tree)
    this.#evict()
  }

  /** Applies a change to its subtree, if cached. */
  apply(change: Change): void {
    const tree = this.#treeOf(change)
    if (!tree) return
    const before = tree.bytes
    tree.apply(change)
    this.#bytes += tree.bytes - before
    if (change.subject === 'resource') {
      const { id } = change.resource
      if (tree.has(id)) this.#byResource.set(id, tree)
      else this.#byResource.delete(id)
      if (!tree.root) this.#remove(tree)
      else if (id === tree.id) this.#indexName(tree)
    }
    this.#evict()
  }

  clear(): void {
    this.#trees.clear()
    this.#byResource.clear()
    this.#byName.clear()
    this.#bytes = 0
  }

  #treeOf(change: Change): Subtree | undefined {
    if (change.subject === 'status') return this.#byResource.get(change.resourceId)
    const { id, ownerId } = change.resource
    const own = this.#byResource.get(id)
    return own ?? (ownerId === NO_OWNER ? undefined : this.#byResource.get(ownerId))
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
    for (const id of tree.ids) this.#byResource.delete(id)
    this.#unindexName(tree)
  }

  #indexName(tree: Subtree): void {
    const { root } = tree
    if (!root || ID_FORMAT.test(root.name)) return
    if (root.deletedTime === null) this.#byName.set(nameKey(root), tree)
    else this.#unindexName(tree)
  }

  /** Another root may have taken the name. */
  #unindexName(tree: Subtree): void {
    const key = nameKey(tree)
    if (this.#byName.get(key) === tree) this.#byName.delete(key)
  }
}

/** Neither kinds nor encoded tenants contain a line break. */
function nameKey({ tenant, kind, name }: Pick<Subtree, 'tenant' | 'kind' | 'name'>): string {
  return `${kind}\n${tenant}\n${name}`
}
