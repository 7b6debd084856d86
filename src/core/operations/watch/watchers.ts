import type { Hub } from '../../feed/hub.ts'
import { tokenExpired } from '../../feed/token.ts'
import type { Change, ChangeType } from '../../model/change.ts'
import { type SearchedChange, searchedChange } from './searched-change.ts'
import type { WatchBatch, Watcher, WatchEvent } from './watch-event.ts'
import { judgeChange, type WatchFilter } from './watch-filter.ts'
import { topicsOf } from './watch-scope.ts'

/** What a watch wants to be told. */
export interface Interest {
  readonly topic: string
  /** The same topic and search mean the same filter. */
  readonly search: string
  readonly filter: WatchFilter
}

/** Watches that want to be told the same. */
interface Channel {
  readonly filter: WatchFilter
  readonly watchers: Set<Watcher>
}

/**
 * All watches that are told changes as they come. A change is looked at by those alone whom its
 * topics concern, and once for all that want the same.
 */
export class Watchers {
  readonly #hub: Hub
  /** By topic, then by search. */
  readonly #topics = new Map<string, Map<string, Channel>>()
  #subscription: Disposable | null = null

  constructor(hub: Hub) {
    this.#hub = hub
  }

  /** Tells the watcher all changes after the hub's position, until it is disposed. */
  join({ topic, search, filter }: Interest, watcher: Watcher): Disposable {
    const channels = this.#topics.get(topic) ?? new Map<string, Channel>()
    const channel = channels.get(search) ?? { filter, watchers: new Set<Watcher>() }
    channel.watchers.add(watcher)
    channels.set(search, channel)
    this.#topics.set(topic, channels)
    this.#subscription ??= this.#hub.subscribe({
      onChanges: (changes) => this.#tell(changes),
      onLost: () => this.#lose(),
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
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
  }

  #tell(changes: readonly Change[]): void {
    const told = new Map<Channel, WatchEvent[]>()
    for (const change of changes) this.#judge(change, told)
    const { epoch } = this.#hub.position
    for (const [{ watchers }, events] of told) {
      const batch: WatchBatch = { events, epoch }
      for (const watcher of watchers) watcher.tell(batch)
    }
  }

  #judge(change: Change, told: Map<Channel, WatchEvent[]>): void {
    let searched: SearchedChange | null = null
    const events = new Map<ChangeType, WatchEvent>()
    for (const topic of topicsOf(change)) {
      for (const channel of this.#topics.get(topic)?.values() ?? []) {
        searched ??= searchedChange(change)
        const type = judgeChange(channel.filter, searched)
        if (type === null) continue
        const event = events.get(type) ?? { type, watched: change, revision: change.revision }
        events.set(type, event)
        const own = told.get(channel)
        if (own) own.push(event)
        else told.set(channel, [event])
      }
    }
  }

  /** The hub tells nothing more: who goes on begins anew. */
  #lose(): void {
    const watchers = [...this.#topics.values()].flatMap((channels) =>
      [...channels.values()].flatMap((channel) => [...channel.watchers]),
    )
    this.#topics.clear()
    this.#subscription = null
    for (const watcher of watchers) watcher.fail(tokenExpired())
  }
}
