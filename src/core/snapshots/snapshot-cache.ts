import { setTimeout as sleep } from 'node:timers/promises'
import { FlotillaError } from '../../lib/errors.ts'
import type { Change } from '../model/change.ts'
import type { Database } from '../storage/database/database.ts'
import { readSubtree, type RootName } from '../storage/snapshots/read-subtree.ts'
import type { Feed } from '../feed/feed.ts'
import { olderThanLog, type ResourceVersion } from '../feed/resource-version.ts'
import { TreeCache } from './tree-cache.ts'
import { Subtree } from './subtree.ts'
import type { SubtreeState } from './subtree-state.ts'

/** How long a tree that was read ahead of the log waits for the log. */
const CATCH_UP_MS = 10_000
/** Between two looks at a database whose log this process has not seen begin. */
const EPOCH_PAUSE_MS = 50
/** Reads of one tree that may be overtaken by a new epoch. */
const ATTEMPTS = 20

/** A tree at one moment. */
export interface CachedSnapshot {
  readonly state: SubtreeState
  /** Every change up to here is in it, and none after. */
  readonly resourceVersion: ResourceVersion
}

/** A tree that is being read. */
export interface Loading {
  /** Of the root, once it has been found; null before. */
  readonly foundId: string | null
  /** Null where there is no such root. */
  readonly done: Promise<CachedSnapshot | null>
}

/**
 * Trees in memory, current through the broadcaster. Roots are named by id, or by name where they are live;
 * an id goes before a name.
 */
export interface SnapshotCache extends Disposable {
  /** A tree that is in memory; null where it would have to be read. */
  get(root: RootName): CachedSnapshot | null
  /** Reads a tree; whoever asks for the same one meanwhile waits for the same read. */
  load(root: RootName): Loading
  /** How many trees are in memory, and about how many bytes they take. */
  readonly size: { readonly trees: number; readonly bytes: number }
}

interface Options {
  readonly database: Database
  readonly feed: Pick<Feed, 'broadcaster' | 'sequencer'>
  /** Memory for trees; the least recently used fall out. */
  readonly maxBytes: number
}

/** An empty view, which takes no changes while it has nothing. */
export function createSnapshotCache(options: Options): SnapshotCache {
  return new BoundedSnapshotCache(options)
}

/** What is told while a tree is read. */
interface Meanwhile {
  readonly changes: Change[]
  /** The log went on elsewhere: what was read may never have been in it. */
  lost: boolean
}

class BoundedSnapshotCache implements SnapshotCache {
  readonly #options: Options
  readonly #shelf: TreeCache
  readonly #loading = new Map<string, Loading>()
  readonly #meanwhile = new Set<Meanwhile>()
  #subscription: Disposable | null = null

  constructor(options: Options) {
    this.#options = options
    this.#shelf = new TreeCache(options.maxBytes)
  }

  get size(): SnapshotCache['size'] {
    return this.#shelf.size
  }

  get(root: RootName): CachedSnapshot | null {
    const tree = this.#shelf.find(root)
    return tree && this.#sightOf(tree)
  }

  load(root: RootName): Loading {
    const key = JSON.stringify([root.tenant, root.kind, root.idOrName])
    const under = this.#loading.get(key)
    if (under) return under
    let foundId: string | null = null
    const done = this.#load(root, (id) => (foundId = id)).finally(() => {
      this.#loading.delete(key)
      this.#unsubscribeWhereIdle()
    })
    // Whoever waits for it is told; perhaps nobody waits any more.
    done.catch(() => undefined)
    const loading = {
      get foundId() {
        return foundId
      },
      done,
    }
    this.#loading.set(key, loading)
    return loading
  }

  [Symbol.dispose](): void {
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
    this.#shelf.clear()
  }

  async #load(root: RootName, onFound: (id: string) => void): Promise<CachedSnapshot | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const meanwhile: Meanwhile = { changes: [], lost: false }
      this.#meanwhile.add(meanwhile)
      this.#subscribe()
      try {
        const tree = await this.#read(root, onFound)
        if (tree === 'none') return null
        if (tree === 'elsewhere' || meanwhile.lost) continue
        for (const change of meanwhile.changes) tree.apply(change)
        return tree.root && this.#keep(tree)
      } finally {
        this.#meanwhile.delete(meanwhile)
      }
    }
    throw new FlotillaError('unavailable', 'The log of changes begins anew: try again')
  }

  /**
   * What has been committed and is not in the log yet is in the tree, or has been taken out of it
   * already: the tree is one moment's only when the log has reached it.
   */
  async #read(
    root: RootName,
    onFound: (id: string) => void,
  ): Promise<Subtree | 'none' | 'elsewhere'> {
    const { database, feed } = this.#options
    const read = await readSubtree(database, root)
    if (read.members.length === 0) return 'none'
    const tree = new Subtree(read)
    onFound(tree.id)
    if (read.epoch !== feed.broadcaster.resourceVersion.epoch) {
      feed.broadcaster.wake()
      await sleep(EPOCH_PAUSE_MS)
      return 'elsewhere'
    }
    if (read.isAhead) await this.#catchUp()
    return tree
  }

  async #catchUp(): Promise<void> {
    const { broadcaster, sequencer } = this.#options.feed
    if (await broadcaster.waitFor(await sequencer.catchUp(), CATCH_UP_MS)) return
    throw olderThanLog()
  }

  /** The same tree may have been read under its other name meanwhile. */
  #keep(read: Subtree): CachedSnapshot {
    const tree = this.#shelf.find({ tenant: null, kind: read.kind, idOrName: read.id }) ?? read
    const sight = this.#sightOf(tree)
    if (tree === read) this.#shelf.put(tree)
    return sight
  }

  #sightOf(tree: Subtree): CachedSnapshot {
    const { epoch, revision } = this.#options.feed.broadcaster.resourceVersion
    const newest = tree.revision > revision ? tree.revision : revision
    return { state: tree.state(), resourceVersion: { epoch, revision: newest } }
  }

  #subscribe(): void {
    this.#subscription ??= this.#options.feed.broadcaster.subscribe({
      onChanges: (changes) => {
        for (const { changes: buffer } of this.#meanwhile) buffer.push(...changes)
        for (const change of changes) this.#shelf.apply(change)
        this.#unsubscribeWhereIdle()
      },
      onLost: () => {
        this.#subscription = null
        this.#shelf.clear()
        for (const meanwhile of this.#meanwhile) meanwhile.lost = true
        if (this.#meanwhile.size > 0) this.#subscribe()
      },
    })
  }

  /** The broadcaster reads no changes where nobody takes them. */
  #unsubscribeWhereIdle(): void {
    if (this.#meanwhile.size > 0 || this.#shelf.size.trees > 0) return
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
  }
}
