import { must } from '../../../lib/assert.ts'
import { type Backoff, backoffDelay } from './backoff.ts'
import { ReadyList } from './ready-list.ts'
import type { Timers } from './timers.ts'

interface Options<Item> {
  /** Items with the same ID are one item; the newest replaces the others, unless they are merged. */
  readonly idOf: (item: Item) => string
  /** Combines an item that waits with one that is added. */
  readonly merge?: (waiting: Item, added: Item) => Item
  readonly backoff: Backoff
  /** The most items. Further ones are dropped. */
  readonly maxSize: number
  /** Called when items were dropped: the owner must find the work again when the queue is empty. */
  readonly onOverflow: () => void
  readonly timers: Timers
  readonly random: () => number
}

interface Entry<Item> {
  item: Item
  state: 'ready' | 'delayed' | 'running'
  /** Whether `item` waits, also during the run of an earlier one. */
  isWaiting: boolean
  /** Failures in a row. */
  failures: number
  /** The time of the next run; of a running item: of the run after it. Null if there is none. */
  due: number | null
  timer: Disposable | null
}

/**
 * Items that wait for a controller. An item is in the queue once, and never runs twice at the same
 * time: if it is added while it runs, it runs again afterwards.
 */
export class WorkQueue<Item> implements Disposable {
  readonly #options: Options<Item>
  readonly #entries = new Map<string, Entry<Item>>()
  readonly #ready = new ReadyList<Entry<Item>>()
  readonly #takers = new ReadyList<(entry: Entry<Item> | null) => void>()
  readonly #lowWaiters = new Set<{ readonly below: number; readonly resolve: () => void }>()
  #isClosed = false

  constructor(options: Options<Item>) {
    this.#options = options
  }

  /** The number of items: ready, delayed and running. */
  get size(): number {
    return this.#entries.size
  }

  /** Queues the item for the next free worker. */
  add(item: Item): void {
    this.addAfter(item, 0)
  }

  /** Queues the item after a delay, unless it is due earlier. */
  addAfter(item: Item, delayMs: number): void {
    if (this.#isClosed) return
    const id = this.#options.idOf(item)
    const entry = this.#entries.get(id)
    if (entry === undefined) {
      if (this.#entries.size >= this.#options.maxSize) return this.#options.onOverflow()
      const created: Entry<Item> = {
        item,
        state: 'delayed',
        isWaiting: true,
        failures: 0,
        due: null,
        timer: null,
      }
      this.#entries.set(id, created)
      this.#delay(created, delayMs)
      return
    }
    entry.item = entry.isWaiting ? this.#merged(entry.item, item) : item
    entry.isWaiting = true
    if (entry.state === 'ready') return
    const due = this.#options.timers.now() + delayMs
    if (entry.due !== null && entry.due <= due) return
    if (entry.state === 'running') entry.due = due
    else this.#delay(entry, delayMs)
  }

  /** Waits for an item that is due; null if the queue is closed. The caller must finish it. */
  take(): Promise<Item | null> {
    if (this.#isClosed) return Promise.resolve(null)
    const entry = this.#ready.shift()
    if (entry !== undefined) return Promise.resolve(start(entry))
    return new Promise((resolve) => {
      this.#takers.push((next) => resolve(next === null ? null : start(next)))
    })
  }

  /** Ends a run. After a success the item leaves the queue, unless it was added during the run. */
  finish(item: Item, result: 'succeeded' | 'failed'): void {
    const { idOf, timers, backoff, random } = this.#options
    if (this.#isClosed) return
    const id = idOf(item)
    const entry = must(this.#entries.get(id), 'the running item')
    entry.failures = result === 'failed' ? entry.failures + 1 : 0
    if (result === 'failed') {
      const due = timers.now() + backoffDelay(backoff, entry.failures, random)
      entry.due = Math.min(entry.due ?? Infinity, due)
      entry.item = entry.isWaiting ? this.#merged(item, entry.item) : item
    }
    entry.isWaiting = true
    entry.state = 'delayed'
    if (entry.due === null) this.#entries.delete(id)
    else this.#delay(entry, entry.due - timers.now())
    this.#resumeLowWaiters()
  }

  /** Resolves when the queue has fewer items, or is closed. */
  whenBelow(size: number): Promise<void> {
    if (this.#isClosed || this.size < size) return Promise.resolve()
    return new Promise((resolve) => this.#lowWaiters.add({ below: size, resolve }))
  }

  /** Drops all items and ends all waits. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    for (const entry of this.#entries.values()) entry.timer?.[Symbol.dispose]()
    this.#entries.clear()
    for (let taker = this.#takers.shift(); taker; taker = this.#takers.shift()) taker(null)
    this.#resumeLowWaiters()
  }

  #merged(waiting: Item, added: Item): Item {
    return this.#options.merge?.(waiting, added) ?? added
  }

  #delay(entry: Entry<Item>, delayMs: number): void {
    entry.timer?.[Symbol.dispose]()
    entry.timer = null
    if (delayMs <= 0) return this.#makeReady(entry)
    entry.due = this.#options.timers.now() + delayMs
    entry.timer = this.#options.timers.schedule(delayMs, () => {
      entry.timer = null
      this.#makeReady(entry)
    })
  }

  #makeReady(entry: Entry<Item>): void {
    entry.state = 'ready'
    entry.due = null
    const taker = this.#takers.shift()
    if (taker) taker(entry)
    else this.#ready.push(entry)
  }

  #resumeLowWaiters(): void {
    for (const waiter of this.#lowWaiters) {
      if (!this.#isClosed && this.size >= waiter.below) continue
      this.#lowWaiters.delete(waiter)
      waiter.resolve()
    }
  }
}

function start<Item>(entry: Entry<Item>): Item {
  entry.state = 'running'
  entry.isWaiting = false
  return entry.item
}
