import { changeSize } from '../../feed/change-size.ts'
import type { Following, Broadcaster, Backpressure } from '../../feed/broadcaster.ts'
import { type ResourceVersion, resourceVersionExpired } from '../../feed/resource-version.ts'
import type { Change, ChangeType } from '../../model/change.ts'
import { type SearchedChange, searchedChange } from './searched-change.ts'
import type { WatchBatch, Watcher, WatchEvent } from './watch-event.ts'
import { classifyChange, type WatchFilter } from './watch-filter.ts'
import { hasMovedAway, topicsOf } from './watch-scope.ts'

/** The subscription of a watch. */
export interface Interest {
  readonly topic: string
  /** Identifies the search: the same topic and key mean the same filter. */
  readonly search: string
  readonly filter: WatchFilter
}

/** Watches with the same topic and search. */
interface Channel {
  readonly filter: WatchFilter
  /** The revision after which each watch receives changes. */
  readonly watchers: Map<Watcher, bigint>
}

/**
 * All live watches. A change is compared only with the channels of its topics, and once per
 * channel.
 */
export class Watchers {
  /** The pace of all watches together. */
  readonly backpressure: Backpressure
  readonly #broadcaster: Broadcaster
  /** By topic and search. */
  readonly #topics = new Map<string, Map<string, Channel>>()
  #following: Following | null = null

  constructor(broadcaster: Broadcaster, backpressure: Backpressure) {
    this.#broadcaster = broadcaster
    this.backpressure = backpressure
  }

  /** The watches have received every change up to this version. */
  get resourceVersion(): ResourceVersion {
    return this.#following?.resourceVersion ?? this.#broadcaster.resourceVersion
  }

  /** Sends the watcher all changes after the broadcaster's version, until disposed. */
  join({ topic, search, filter }: Interest, watcher: Watcher): Disposable {
    const channels = this.#topics.get(topic) ?? new Map<string, Channel>()
    const channel = channels.get(search) ?? { filter, watchers: new Map<Watcher, bigint>() }
    channel.watchers.set(watcher, this.#broadcaster.resourceVersion.revision)
    channels.set(search, channel)
    this.#topics.set(topic, channels)
    this.#following ??= this.#broadcaster.join({
      onChanges: (changes) => this.#send(changes),
      onLost: () => this.#lose(),
      ready: () => Promise.resolve(),
      backpressure: this.backpressure,
    })
    return { [Symbol.dispose]: () => this.#leave(topic, search, watcher) }
  }

  #leave(topic: string, search: string, watcher: Watcher): void {
    const channels = this.#topics.get(topic)
    const channel = channels?.get(search)
    if (!channels || !channel?.watchers.delete(watcher) || channel.watchers.size > 0) return
    channels.delete(search)
    if (channels.size === 0) this.#topics.delete(topic)
    if (this.#topics.size > 0) return
    this.#following?.[Symbol.dispose]()
    this.#following = null
  }

  #send(changes: readonly Change[]): void {
    const found = new Map<Channel, WatchEvent[]>()
    for (const change of changes) this.#classify(change, found)
    const size = changes.reduce((sum, change) => sum + changeSize(change), 0)
    const { epoch } = this.resourceVersion
    const first = changes[0]?.revision ?? 0n
    for (const [{ watchers }, events] of found) {
      const batch: WatchBatch = { events, epoch, source: changes, size }
      for (const [watcher, after] of watchers) {
        if (after < first) watcher.send(batch)
        else sendAfter(watcher, batch, after)
      }
    }
  }

  #classify(change: Change, found: Map<Channel, WatchEvent[]>): void {
    let searched: SearchedChange | null = null
    const events = new Map<ChangeType, WatchEvent>()
    for (const topic of topicsOf(change)) {
      if (hasMovedAway(change, topic)) {
        this.#expire(topic)
        continue
      }
      for (const channel of this.#topics.get(topic)?.values() ?? []) {
        searched ??= searchedChange(change)
        const type = classifyChange(channel.filter, searched)
        if (type === null) continue
        const event = events.get(type) ?? { type, watched: change, revision: change.revision }
        events.set(type, event)
        const own = found.get(channel)
        if (own) own.push(event)
        else found.set(channel, [event])
      }
    }
  }

  /** Ends the watches of a topic: their clients must list again. */
  #expire(topic: string): void {
    const watchers = [...(this.#topics.get(topic)?.values() ?? [])].flatMap((channel) => [
      ...channel.watchers.keys(),
    ])
    for (const watcher of watchers) watcher.fail(resourceVersionExpired())
  }

  /** The log has a new epoch: clients must list again. */
  #lose(): void {
    const watchers = [...this.#topics.values()].flatMap((channels) =>
      [...channels.values()].flatMap((channel) => [...channel.watchers.keys()]),
    )
    this.#topics.clear()
    this.#following = null
    for (const watcher of watchers) watcher.fail(resourceVersionExpired())
  }
}

/** Sends the events after a revision to a watch that joined while others were behind it. */
function sendAfter(watcher: Watcher, batch: WatchBatch, after: bigint): void {
  const events = batch.events.filter(({ revision }) => revision !== null && revision > after)
  if (events.length > 0) watcher.send({ ...batch, events })
}
