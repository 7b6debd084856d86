import { setTimeout as sleep } from 'node:timers/promises'
import { FlotillaError } from '../../lib/errors.ts'
import type { Change } from '../../store/model/change.ts'
import type { Database } from '../../store/database/database.ts'
import { readSubtree, type RootName } from '../storage/read-subtree.ts'
import type { Feed } from '../../store/feed/feed.ts'
import { olderThanLog, type ResourceVersion } from '../../store/feed/resource-version.ts'
import { TreeCache } from './tree-cache.ts'
import { Subtree } from './subtree.ts'
import type { SubtreeState } from './subtree-state.ts'

/** How long a subtree that is ahead of the log waits for the log. */
const CATCH_UP_TIMEOUT_MS = 10_000
/** Pause before another read if the database has an epoch that this process has not seen. */
const EPOCH_PAUSE_MS = 50
/** The most reads of one subtree, each of which may be interrupted by a new epoch. */
const MAX_ATTEMPTS = 20

/** A subtree at one resource version. */
export interface CachedSnapshot {
  readonly state: SubtreeState
  /** The state includes every change up to here, and none after. */
  readonly resourceVersion: ResourceVersion
}

/**
 * Subtrees in memory, which the broadcaster keeps current. A root is found by its id, or by its
 * name if it is not being deleted; an id takes precedence over a name.
 */
export interface SnapshotCache extends Disposable {
  /** Returns a cached subtree, or null if it must be loaded. */
  get(root: RootName): CachedSnapshot | null
  /**
   * Reads a subtree; null if the root does not exist. Concurrent calls for the same root share one
   * read.
   */
  load(root: RootName): Promise<CachedSnapshot | null>
  /** The number of cached subtrees and their approximate size. */
  readonly size: { readonly trees: number; readonly bytes: number }
}

interface Options {
  readonly database: Database
  readonly feed: Pick<Feed, 'broadcaster' | 'sequencer'>
  /** The most memory for subtrees; the least recently used ones are evicted. */
  readonly maxBytes: number
}

/** Returns an empty cache. It subscribes to changes only while it holds or reads subtrees. */
export function createSnapshotCache(options: Options): SnapshotCache {
  return new BoundedSnapshotCache(options)
}

/** The changes that arrive during a read. */
interface PendingRead {
  readonly changes: Change[]
  /** A new epoch began during the read, so the rows may never have been in this log. */
  lost: boolean
}

class BoundedSnapshotCache implements SnapshotCache {
  readonly #options: Options
  readonly #trees: TreeCache
  readonly #loading = new Map<string, Promise<CachedSnapshot | null>>()
  readonly #pending = new Set<PendingRead>()
  #subscription: Disposable | null = null

  constructor(options: Options) {
    this.#options = options
    this.#trees = new TreeCache(options.maxBytes)
  }

  get size(): SnapshotCache['size'] {
    return this.#trees.size
  }

  get(root: RootName): CachedSnapshot | null {
    const tree = this.#trees.find(root)
    return tree && this.#snapshotOf(tree)
  }

  load(root: RootName): Promise<CachedSnapshot | null> {
    const key = JSON.stringify([root.tenant, root.kind, root.idOrName])
    const existing = this.#loading.get(key)
    if (existing) return existing
    const loading = this.#load(root).finally(() => {
      this.#loading.delete(key)
      this.#unsubscribeIfIdle()
    })
    // Waiting callers receive the rejection; there may be none left.
    loading.catch(() => undefined)
    this.#loading.set(key, loading)
    return loading
  }

  [Symbol.dispose](): void {
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
    this.#trees.clear()
  }

  async #load(root: RootName): Promise<CachedSnapshot | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const pending: PendingRead = { changes: [], lost: false }
      this.#pending.add(pending)
      this.#subscribe()
      try {
        const tree = await this.#read(root)
        if (tree === 'not-found') return null
        if (tree === 'other-epoch' || pending.lost) continue
        for (const change of pending.changes) tree.apply(change)
        return tree.root && this.#keep(tree)
      } finally {
        this.#pending.delete(pending)
      }
    }
    throw new FlotillaError(
      'unavailable',
      'The log of changes was replaced during the read: try again',
    )
  }

  /**
   * The rows may include committed changes that are still in the outbox. The subtree matches a
   * revision only after the log has reached these changes.
   */
  async #read(root: RootName): Promise<Subtree | 'not-found' | 'other-epoch'> {
    const { database, feed } = this.#options
    const read = await readSubtree(database, root)
    if (read.nodes.length === 0) return 'not-found'
    const tree = new Subtree(read)
    if (read.epoch !== feed.broadcaster.resourceVersion.epoch) {
      feed.broadcaster.refresh()
      await sleep(EPOCH_PAUSE_MS)
      return 'other-epoch'
    }
    if (read.isAhead) await this.#catchUp()
    return tree
  }

  async #catchUp(): Promise<void> {
    const { broadcaster, sequencer } = this.#options.feed
    if (await broadcaster.waitFor(await sequencer.catchUp(), CATCH_UP_TIMEOUT_MS)) return
    throw olderThanLog()
  }

  /** A concurrent load by id or by name may have cached the same subtree already. */
  #keep(read: Subtree): CachedSnapshot {
    const tree = this.#trees.find({ tenant: null, kind: read.kind, idOrName: read.id }) ?? read
    const snapshot = this.#snapshotOf(tree)
    if (tree === read) this.#trees.put(tree)
    return snapshot
  }

  #snapshotOf(tree: Subtree): CachedSnapshot {
    const { epoch, revision } = this.#options.feed.broadcaster.resourceVersion
    const newest = tree.revision > revision ? tree.revision : revision
    return { state: tree.state(), resourceVersion: { epoch, revision: newest } }
  }

  #subscribe(): void {
    this.#subscription ??= this.#options.feed.broadcaster.subscribe({
      onChanges: (changes) => {
        for (const { changes: buffer } of this.#pending) buffer.push(...changes)
        for (const change of changes) this.#trees.apply(change)
        this.#unsubscribeIfIdle()
      },
      onLost: () => {
        this.#subscription = null
        this.#trees.clear()
        for (const pending of this.#pending) pending.lost = true
        if (this.#pending.size > 0) this.#subscribe()
      },
    })
  }

  /** The broadcaster reads no changes without subscribers. */
  #unsubscribeIfIdle(): void {
    if (this.#pending.size > 0 || this.#trees.size.trees > 0) return
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
  }
}
