/** A row of a list: a resource, and how it has changed since its page was read. */
export interface Row<T> {
  readonly item: T
  /** It was removed, or no longer matches the search. */
  readonly isGone: boolean
  /** The number of the batch that changed it last; 0 if none has. */
  readonly changed: number
}

/** A page as the server returns it. */
export interface RowPage<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly isEstimate: boolean
  readonly resourceVersion: string
  /** The cursor of the next page; null if there is none. */
  readonly next: string | null
}

interface Changes<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: T
}

interface Identified {
  readonly id: string
}

/**
 * The loaded pages of a long list. It keeps a limited number of pages, those that were shown last,
 * and applies changes to their rows. Rows keep their positions until the list is read again.
 */
export class RowPages<T extends Identified> {
  readonly #pageSize: number
  readonly #maxPages: number
  /** In the order of their last use. */
  #pages = new Map<number, readonly Row<T>[]>()
  readonly #cursors = new Map<number, string | null>()
  #positions = new Map<string, { readonly page: number; readonly index: number }>()
  #total = 0
  #isEstimate = false
  #batch = 0
  #unseen = new Set<string>()

  constructor(pageSize: number, maxPages: number) {
    this.#pageSize = pageSize
    this.#maxPages = maxPages
  }

  get total(): number {
    return this.#total
  }

  get isEstimate(): boolean {
    return this.#isEstimate
  }

  /** The number of the last applied batch. */
  get batch(): number {
    return this.#batch
  }

  /** Resources that were added since the list was read, so that no page contains them. */
  get unseen(): number {
    return this.#unseen.size
  }

  get size(): number {
    return this.#pages.size
  }

  has(page: number): boolean {
    return this.#pages.has(page)
  }

  /** The row at a position; undefined if its page is not loaded. */
  row(position: number): Row<T> | undefined {
    return this.#pages.get(Math.floor(position / this.#pageSize))?.[position % this.#pageSize]
  }

  /** Stores a page, and removes the page that was not used for longest if there are too many. */
  store(page: number, { items, total, isEstimate, next }: RowPage<T>): void {
    this.#forget(page)
    this.#cursors.set(page, next)
    this.#total = total
    this.#isEstimate = isEstimate
    this.#pages.set(
      page,
      items.map((item) => ({ item, isGone: false, changed: 0 })),
    )
    items.forEach(({ id }, index) => {
      this.#positions.set(id, { page, index })
      this.#unseen.delete(id)
    })
    const oldest = this.#pages.keys().next().value
    if (this.#pages.size > this.#maxPages && oldest !== undefined) this.#forget(oldest)
  }

  /** The cursor of a page, which the page before it has; null if that page is not loaded. */
  cursorOf(page: number): string | null {
    return this.#cursors.get(page - 1) ?? null
  }

  /** Marks pages as used, so that others are removed first. */
  use(pages: readonly number[]): void {
    for (const page of pages) {
      const rows = this.#pages.get(page)
      if (rows === undefined) continue
      this.#pages.delete(page)
      this.#pages.set(page, rows)
    }
  }

  /** Removes every page but some, after the list was read again. */
  keepOnly(pages: readonly number[]): void {
    for (const page of this.#pages.keys()) if (!pages.includes(page)) this.#forget(page)
    this.#unseen.clear()
  }

  /** Applies a batch of changes. Returns whether the order or the number of rows may differ now. */
  apply(changes: readonly Changes<T>[]): boolean {
    this.#batch += 1
    let isMoved = false
    const copies = new Map<number, Row<T>[]>()
    for (const change of changes) isMoved = this.#applyOne(change, copies) || isMoved
    for (const [page, rows] of copies) this.#pages.set(page, rows)
    return isMoved
  }

  #applyOne({ type, object }: Changes<T>, copies: Map<number, Row<T>[]>): boolean {
    const position = this.#positions.get(object.id)
    if (position === undefined) {
      if (type === 'ADDED' && !this.#unseen.has(object.id)) this.#count(object.id, 1)
      if (type === 'DELETED') this.#count(object.id, -1)
      return type !== 'MODIFIED'
    }
    const rows = copies.get(position.page) ?? [...(this.#pages.get(position.page) ?? [])]
    copies.set(position.page, rows)
    const wasGone = rows[position.index]?.isGone ?? false
    const isGone = type === 'DELETED'
    rows[position.index] = { item: object, isGone, changed: this.#batch }
    if (isGone !== wasGone) this.#total += isGone ? -1 : 1
    return isGone !== wasGone
  }

  #count(id: string, difference: 1 | -1): void {
    this.#total = Math.max(0, this.#total + difference)
    if (difference === 1) this.#unseen.add(id)
    else this.#unseen.delete(id)
  }

  #forget(page: number): void {
    for (const { item } of this.#pages.get(page) ?? []) {
      if (this.#positions.get(item.id)?.page === page) this.#positions.delete(item.id)
    }
    this.#pages.delete(page)
    this.#cursors.delete(page)
  }
}
