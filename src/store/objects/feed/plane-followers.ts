import { chunksOf } from '../../../lib/chunks-of.ts'
import { CHUNK_BYTES } from '../../feed/change-size.ts'
import type { Database } from '../../database/database.ts'
import type { CodecOf } from '../model/body-codec.ts'
import type { ChangeSubscriber, ChangeSubscription } from '../model/change-subscriber.ts'
import type { ObjectChange } from '../model/object-change.ts'
import type { LogEntry } from '../storage/changes/object-change-row.ts'
import { type PlaneLogPage, readPlaneChanges } from '../storage/changes/read-plane-changes.ts'
import { entrySize } from './entry-size.ts'
import type { ObjectLog } from './object-log.ts'
import { FlotillaError } from '../../../lib/errors.ts'

/** The most changes of a page from the log. */
const PAGE_SIZE = 500
/** How long a revision from another process may wait until the plane has reached it. */
const FUTURE_TIMEOUT_MS = 3000

/** The changes that a follower receives. */
export interface FollowScope {
  readonly plane: string
  /** Empty for all resources. */
  readonly resource: string
}

interface Reader {
  readonly scope: FollowScope
  readonly follower: ChangeSubscriber
  readonly epoch: string
  revision: bigint
  /** The reader has received every change up to this sequence; null while it reads the log. */
  sequence: bigint | null
  isClosed: boolean
}

interface Options {
  readonly database: Database
  readonly log: ObjectLog
  readonly codecOf: CodecOf
  /** The revision of a plane that has no row. */
  readonly startOf: (plane: string) => bigint | Promise<bigint>
}

/** Sends the changes of planes to followers: old ones from the log, then new ones as they arrive. */
export interface PlaneFollowers extends Disposable {
  /**
   * Sends the changes after a revision. Rejects with `expired` if some of them were dropped, and
   * with `timeout` if the plane does not reach the revision within FUTURE_TIMEOUT_MS.
   */
  follow(scope: FollowScope, after: bigint, follower: ChangeSubscriber): Promise<ChangeSubscription>
}

export function createPlaneFollowers(options: Options): PlaneFollowers {
  const live = new LiveReaders(options.log)
  return {
    follow: async (scope, after, follower) => {
      const { epoch } = options.log.resourceVersion
      const reader: Reader = {
        scope,
        follower,
        epoch,
        revision: after,
        sequence: null,
        isClosed: false,
      }
      await catchUp(options, live, reader)
      return {
        get revision() {
          return reader.revision
        },
        [Symbol.dispose]: () => live.remove(reader),
      }
    },
    [Symbol.dispose]: () => live[Symbol.dispose](),
  }
}

/** Sends old changes until the reader is live. */
async function catchUp(options: Options, live: LiveReaders, reader: Reader): Promise<void> {
  const { log } = options
  while (!reader.isClosed) {
    const recent = reader.sequence === null ? null : log.recent(reader.sequence)
    if (recent !== null) {
      // No await since the last entry was read, so none can be missed in between.
      receive(reader, recent)
      live.add(reader)
      return
    }
    await readPage(options, live, reader)
    await reader.follower.ready()
  }
}

async function readPage(options: Options, live: LiveReaders, reader: Reader): Promise<void> {
  const page = await readReachedPage(options, live, reader)
  if (page.epoch !== reader.epoch || page.isRemoved || reader.revision < page.compacted) {
    throw revisionExpired()
  }
  if (reader.isClosed) return
  deliver(reader, page.changes)
  const last = page.changes.at(-1)
  if (last && page.hasMore) {
    reader.revision = last.revision
    return
  }
  reader.sequence = page.sequence
  if (page.loggedRevision !== null && page.loggedRevision > reader.revision) {
    reader.revision = page.loggedRevision
  }
}

/** Reads a page, when the plane has reached the revision of the reader. */
async function readReachedPage(
  { database, codecOf, startOf }: Options,
  live: LiveReaders,
  reader: Reader,
): Promise<PlaneLogPage> {
  const { plane, resource } = reader.scope
  const position = { plane, resource, after: reader.revision, limit: PAGE_SIZE }
  const start = await startOf(plane)
  const read = async (): Promise<PlaneLogPage | null> => {
    const page = await readPlaneChanges(database, { ...position, start }, codecOf)
    return reader.revision <= page.planeRevision || page.isRemoved ? page : null
  }
  const current = await read()
  if (current !== null) return current
  using waiting = live.waitFor(plane, reader.revision)
  // The plane may have reached the revision before the wait began.
  const reached = (await read()) ?? ((await waiting.reached) && (await read()))
  if (!reached) throw revisionNotReached()
  return reached
}

/** Receives entries of any plane that follow the sequence of the reader. */
function receive(reader: Reader, entries: readonly LogEntry[]): void {
  const { plane, resource } = reader.scope
  const after = reader.sequence ?? 0n
  // The log may lag behind the plane: a follower can start at a revision that is logged later.
  const start = reader.revision
  const ofPlane = entries.filter(
    (entry) => entry.plane === plane && entry.sequence > after && entry.revision > start,
  )
  const end = ofPlane.findIndex(({ type }) => type === 'REMOVED')
  const received = end === -1 ? ofPlane : ofPlane.slice(0, end)
  const changes = received.flatMap((entry) =>
    entry.type !== 'REMOVED' && isOf(entry, resource) ? [entry] : [],
  )
  deliver(reader, changes)
  const last = received.at(-1)
  if (last) reader.revision = last.revision
  if (end !== -1) lose(reader)
}

function isOf(change: ObjectChange, resource: string): boolean {
  return resource === '' || change.resource === resource
}

function deliver(reader: Reader, changes: readonly ObjectChange[]): void {
  if (changes.length === 0) return
  for (const chunk of chunksOf(changes, entrySize, CHUNK_BYTES)) {
    if (reader.isClosed) return
    reader.follower.onChanges(chunk)
  }
}

function lose(reader: Reader): void {
  if (reader.isClosed) return
  reader.isClosed = true
  reader.follower.onLost()
}

/** The readers that receive changes as they arrive, by plane. */
class LiveReaders implements Disposable {
  readonly #log: ObjectLog
  readonly #planes = new Map<string, Set<Reader>>()
  #subscription: Disposable | null = null

  constructor(log: ObjectLog) {
    this.#log = log
  }

  add(reader: Reader): void {
    if (reader.isClosed) return
    const { plane } = reader.scope
    const readers = this.#planes.get(plane) ?? new Set()
    this.#planes.set(plane, readers.add(reader))
    this.#subscription ??= this.#log.subscribe({
      onChanges: (entries) => this.#send(entries),
      onLost: () => this.#loseAll(),
    })
  }

  remove(reader: Reader): void {
    reader.isClosed = true
    const { plane } = reader.scope
    const readers = this.#planes.get(plane)
    if (readers?.delete(reader) && readers.size === 0) this.#planes.delete(plane)
    if (this.#planes.size === 0) this[Symbol.dispose]()
  }

  /** Waits for a change of a plane at a revision or after it; `reached` is false after the timeout. */
  waitFor(plane: string, revision: bigint): Disposable & { readonly reached: Promise<boolean> } {
    let end: (isReached: boolean) => void = () => undefined
    const reached = new Promise<boolean>((resolve) => (end = resolve))
    const timer = setTimeout(() => end(false), FUTURE_TIMEOUT_MS)
    const { epoch, revision: sequence } = this.#log.resourceVersion
    const reader: Reader = {
      scope: { plane, resource: '' },
      follower: {
        onChanges: () => end(true),
        onLost: () => end(true),
        ready: () => Promise.resolve(),
      },
      epoch,
      revision: revision - 1n,
      sequence,
      isClosed: false,
    }
    this.add(reader)
    return {
      reached,
      [Symbol.dispose]: () => {
        clearTimeout(timer)
        this.remove(reader)
      },
    }
  }

  #send(entries: readonly LogEntry[]): void {
    for (const [plane, ofPlane] of byPlane(entries)) {
      for (const reader of this.#planes.get(plane) ?? []) {
        receive(reader, ofPlane)
        if (reader.isClosed) this.remove(reader)
      }
    }
  }

  #loseAll(): void {
    for (const reader of [...this.#planes.values()].flatMap((readers) => [...readers])) {
      lose(reader)
      this.remove(reader)
    }
  }

  [Symbol.dispose](): void {
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
  }
}

function byPlane(entries: readonly LogEntry[]): ReadonlyMap<string, readonly LogEntry[]> {
  const planes = new Map<string, LogEntry[]>()
  for (const entry of entries) {
    const ofPlane = planes.get(entry.plane)
    if (ofPlane) ofPlane.push(entry)
    else planes.set(entry.plane, [entry])
  }
  return planes
}

/** The error for a revision whose following changes are gone. */
function revisionExpired(): FlotillaError {
  return new FlotillaError(
    'expired',
    'The changes after this resource version are no longer available: list again',
  )
}

/** The error for a revision that the plane has not reached in time. */
function revisionNotReached(): FlotillaError {
  return new FlotillaError('timeout', 'The plane has not reached this resource version: try again')
}
