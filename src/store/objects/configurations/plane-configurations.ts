import { must } from '../../../lib/assert.ts'
import { type Call, createBatchQueue } from '../../../lib/async/batch-queue.ts'
import { createRevisionWaiters, type RevisionWaiters } from '../../feed/revision-waiters.ts'
import type { Database } from '../../database/database.ts'
import type { ComputedObjects } from '../computed-objects.ts'
import type { ObjectLog } from '../feed/object-log.ts'
import type { CodecOf } from '../model/body-codec.ts'
import type { ObjectChange } from '../model/object-change.ts'
import type { PlaneConfiguration, PlaneConfigurations } from '../model/plane-configuration.ts'
import {
  type ConfiguredPlane,
  type LoadedConfiguration,
  configurationLoader,
} from '../storage/load-configuration.ts'
import type { LogEntry } from '../storage/changes/object-change-row.ts'
import { ConfigurationState } from './configuration-state.ts'

interface Options {
  readonly database: Database
  readonly log: ObjectLog
  /** The resources of a configuration. */
  readonly resources: readonly string[]
  readonly computedObjects: ComputedObjects
  readonly codecOf: CodecOf
  /** The revision of a plane that has no row. */
  readonly startOf: (plane: string) => bigint | Promise<bigint>
  /** The most bytes of all configurations, except for the plane that was used last. */
  readonly maxBytes: number
  /** How long a load may wait for earlier ones. */
  readonly timeoutMs: number
}

/** Planes that are first used at the same time share a statement. Their definitions can be large. */
const LOADS = { name: 'load_configurations', maxBatchSize: 32, concurrency: 2 }

/** Loads configurations together. If that fails, loads each alone, so that only the faulty one fails. */
async function loadBatch(
  load: (planes: readonly ConfiguredPlane[]) => Promise<readonly LoadedConfiguration[]>,
  batch: readonly Call<ConfiguredPlane, LoadedConfiguration>[],
): Promise<void> {
  try {
    const loaded = await load(batch.map(({ input }) => input))
    for (const [index, call] of batch.entries()) {
      call.resolve(must(loaded[index], 'a configuration for each plane'))
    }
  } catch (error) {
    if (batch.length === 1) batch[0]?.reject(error)
    else await Promise.all(batch.map((call) => loadBatch(load, [call])))
  }
}

/** Configurations in memory, which the feed keeps current. */
export interface CachedConfigurations extends PlaneConfigurations, Disposable {
  /**
   * Resolves with true when the configuration of the plane includes all changes up to the revision,
   * or with false after the timeout. A plane without a cached configuration always includes them.
   */
  waitFor(plane: string, revision: bigint, timeoutMs: number): Promise<boolean>
}

const MAX_REVISION = 2n ** 63n - 1n

/** A configuration in memory or on its way there. */
interface Entry {
  /** Null while it is loading. */
  state: ConfigurationState | null
  /** The size of the state that the total includes. */
  size: number
  readonly loading: Promise<PlaneConfiguration>
  /** Changes that arrive during loading. */
  pending: ObjectChange[]
  readonly waiters: RevisionWaiters
}

/** Loads the configuration of a plane when it is first used, and drops the least recently used. */
export function createPlaneConfigurations(options: Options): CachedConfigurations {
  return new ConfigurationCache(options)
}

class ConfigurationCache implements CachedConfigurations {
  readonly #options: Options
  readonly #names: ReadonlySet<string>
  readonly #loadRows: (plane: ConfiguredPlane) => Promise<LoadedConfiguration>
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #subscription: Disposable
  #size = 0

  constructor(options: Options) {
    const { database, resources, timeoutMs } = options
    this.#options = options
    this.#names = new Set(resources)
    const load = configurationLoader(resources)
    this.#loadRows = createBatchQueue<ConfiguredPlane, LoadedConfiguration>({
      ...LOADS,
      timeoutMs,
      run: (batch) => loadBatch((planes) => load(database, planes), batch),
    })
    this.#subscription = options.log.subscribe({
      onChanges: (entries) => this.#receive(entries),
      onLost: () => this.#clear(),
    })
  }

  of(plane: string): Promise<PlaneConfiguration> {
    const entry = this.#entries.get(plane) ?? this.#load(plane)
    this.#entries.delete(plane)
    this.#entries.set(plane, entry)
    if (entry.state === null) return entry.loading
    // The previous use may have computed objects.
    this.#account(entry)
    this.#evict()
    return Promise.resolve(entry.state.view)
  }

  async waitFor(plane: string, revision: bigint, timeoutMs: number): Promise<boolean> {
    const entry = this.#entries.get(plane)
    if (!entry) return true
    await entry.loading
    if ((entry.state?.revision ?? revision) >= revision) return true
    return entry.waiters.wait(revision, timeoutMs)
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]()
    this.#clear()
  }

  #load(plane: string): Entry {
    const entry: Entry = {
      state: null,
      size: 0,
      loading: Promise.resolve().then(() => this.#finish(plane, entry)),
      pending: [],
      waiters: createRevisionWaiters(),
    }
    return entry
  }

  async #finish(plane: string, entry: Entry): Promise<PlaneConfiguration> {
    try {
      const state = await this.#read(plane)
      for (const change of entry.pending) state.apply(change)
      entry.pending = []
      // The entry was dropped during loading if the feed was lost: its next user loads it again.
      if (this.#entries.get(plane) !== entry) return state.view
      entry.state = state
      this.#account(entry)
      this.#evict()
      return state.view
    } catch (error) {
      if (this.#entries.get(plane) === entry) this.#entries.delete(plane)
      throw error
    }
  }

  async #read(plane: string): Promise<ConfigurationState> {
    const { computedObjects, startOf, codecOf } = this.#options
    const computed = await computedObjects(plane)
    const loaded = await this.#loadRows({ plane, start: await startOf(plane) })
    return new ConfigurationState(decoded(loaded, codecOf), this.#names, computed)
  }

  #receive(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.type === 'REMOVED') this.#drop(entry.plane)
      else this.#apply(entry)
    }
    this.#evict()
  }

  #apply(change: ObjectChange): void {
    const entry = this.#entries.get(change.plane)
    if (!entry) return
    const { state } = entry
    if (state === null) {
      entry.pending.push(change)
      return
    }
    state.apply(change)
    this.#account(entry)
    entry.waiters.advanceTo(state.revision)
  }

  #account(entry: Entry): void {
    const size = entry.state?.size ?? 0
    this.#size += size - entry.size
    entry.size = size
  }

  #drop(plane: string): void {
    const entry = this.#entries.get(plane)
    if (!entry) return
    this.#size -= entry.size
    this.#entries.delete(plane)
    // The next use of the plane reads the newest state.
    entry.waiters.advanceTo(MAX_REVISION)
  }

  #evict(): void {
    for (const [plane, { state }] of this.#entries) {
      if (this.#size <= this.#options.maxBytes || this.#entries.size === 1) return
      if (state !== null) this.#drop(plane)
    }
  }

  #clear(): void {
    for (const plane of this.#entries.keys()) this.#drop(plane)
  }
}

function decoded(loaded: LoadedConfiguration, codecOf: CodecOf): LoadedConfiguration {
  const rows = loaded.rows.map((row) => {
    const codec = codecOf(row.object.resource)
    if (codec === null || row.isTombstone) return row
    const { object } = row
    return { ...row, object: { ...object, body: codec.decode(object, object.body) } }
  })
  return { ...loaded, rows }
}
