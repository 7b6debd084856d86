import { isTransient } from '../../../../typescript/src/http/is-transient.ts'
import type { WatchEvent } from '../../../../typescript/src/watch/watch-event.ts'
import { type Row, type RowPage, RowPages } from './row-pages.ts'

/** Reads a page, counted from 0. `after` is its cursor, or null to read it by its number. */
export type ReadPage<T> = (
  page: number,
  after: string | null,
  signal: AbortSignal,
) => Promise<RowPage<T>>

/** The state of a list for the page that shows it. */
export interface RowListState {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error: unknown
  readonly total: number
  readonly isEstimate: boolean
  /** Resources that were added and are not shown yet. */
  readonly unseen: number
  /** The version of the first page that was read, after which a watch starts. */
  readonly resourceVersion: string | undefined
  /** Changes with every change of a row. */
  readonly revision: number
}

export const PAGE_SIZE = 100
const MAX_PAGES = 20
/** Scrolling faster than this skips pages instead of loading all of them. */
const SCROLL_MS = 60
/** The shortest time between two reads of the shown pages because rows have moved. */
const REFRESH_MS = 2000
const RETRY_MS = 3000

/** A list of any length: loads the pages that are shown and applies the changes of a watch. */
export class RowList<T extends { readonly id: string }> {
  readonly #read: ReadPage<T>
  readonly #rows = new RowPages<T>(PAGE_SIZE, MAX_PAGES)
  readonly #listeners = new Set<() => void>()
  readonly #loading = new Map<number, AbortController>()
  #shown: readonly number[] = [0]
  #isAtTop = true
  #scrollTimer: ReturnType<typeof setTimeout> | undefined
  #refreshTimer: ReturnType<typeof setTimeout> | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #lastRefresh = 0
  #latestVersion = ''
  #state: RowListState = {
    status: 'loading',
    error: null,
    total: 0,
    isEstimate: false,
    unseen: 0,
    resourceVersion: undefined,
    revision: 0,
  }

  constructor(read: ReadPage<T>) {
    this.#read = read
  }

  readonly state = (): RowListState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  row(position: number): Row<T> | undefined {
    return this.#rows.row(position)
  }

  /** Whether the last batch of changes contains a row. */
  isFresh({ changed }: Row<T>): boolean {
    return changed !== 0 && changed === this.#rows.batch
  }

  /** Loads the first page, or the shown pages again after a failure. */
  start(): void {
    void this.#loadShown()
  }

  /** Ends all requests. */
  stop(): void {
    clearTimeout(this.#scrollTimer)
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#refreshTimer)
    this.#refreshTimer = undefined
    for (const controller of this.#loading.values()) controller.abort()
    this.#loading.clear()
  }

  /** Loads the pages of the rows that are visible. */
  show(first: number, last: number): void {
    const pages: number[] = []
    const end = Math.floor(Math.max(first, last) / PAGE_SIZE)
    for (let page = Math.floor(first / PAGE_SIZE); page <= end; page += 1) pages.push(page)
    this.#shown = pages
    this.#isAtTop = first === 0
    this.#rows.use(pages)
    clearTimeout(this.#scrollTimer)
    if (pages.every((page) => this.#rows.has(page))) return
    this.#scrollTimer = setTimeout(() => void this.#loadShown(), SCROLL_MS)
  }

  /** Applies the events of a watch. New rows appear by themselves if the first row is visible. */
  apply(events: readonly WatchEvent<T>[]): void {
    const changes = events.flatMap((event) =>
      event.type === 'BOOKMARK' || event.type === 'RESET' ? [] : [event],
    )
    const isMoved = this.#rows.apply(changes)
    this.#publish({})
    if (isMoved && this.#isAtTop) this.#scheduleRefresh()
  }

  /** Reads the shown pages again after the server lost the changes, and returns their version. */
  async reset(): Promise<string> {
    await this.refresh()
    return this.#latestVersion
  }

  /** Reads the shown pages again and forgets the others. */
  async refresh(): Promise<void> {
    clearTimeout(this.#refreshTimer)
    this.#refreshTimer = undefined
    this.#lastRefresh = performance.now()
    const pages = this.#shown
    await Promise.all(pages.map((page) => this.#load(page, null)))
    this.#rows.keepOnly(pages)
    this.#publish({})
  }

  #scheduleRefresh(): void {
    if (this.#refreshTimer !== undefined) return
    const wait = Math.max(0, this.#lastRefresh + REFRESH_MS - performance.now())
    this.#refreshTimer = setTimeout(() => void this.refresh(), wait)
  }

  async #loadShown(): Promise<void> {
    for (const [page, controller] of this.#loading) {
      if (!this.#shown.includes(page)) controller.abort()
    }
    const missing = this.#shown.filter((page) => !this.#rows.has(page) && !this.#loading.has(page))
    await Promise.all(missing.map((page) => this.#load(page, this.#rows.cursorOf(page))))
  }

  async #load(page: number, after: string | null): Promise<void> {
    this.#loading.get(page)?.abort()
    const controller = new AbortController()
    this.#loading.set(page, controller)
    try {
      const read = await this.#read(page, after, controller.signal)
      if (controller.signal.aborted) return
      this.#rows.store(page, read)
      this.#latestVersion = read.resourceVersion
      const { resourceVersion = read.resourceVersion } = this.#state
      this.#publish({ status: 'ready', error: null, resourceVersion })
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(error)
    } finally {
      if (this.#loading.get(page) === controller) this.#loading.delete(page)
    }
  }

  /** Rows that are already shown stay, and a server that is down is asked again. */
  #fail(error: unknown): void {
    if (isTransient(error)) {
      clearTimeout(this.#retryTimer)
      this.#retryTimer = setTimeout(() => this.start(), RETRY_MS)
    }
    if (this.#rows.size === 0) this.#publish({ status: 'failed', error })
  }

  #publish(change: Partial<RowListState>): void {
    const { total, isEstimate, unseen } = this.#rows
    const revision = this.#state.revision + 1
    this.#state = { ...this.#state, total, isEstimate, unseen, revision, ...change }
    for (const listener of this.#listeners) listener()
  }
}
