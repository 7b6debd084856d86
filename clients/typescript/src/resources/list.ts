import type { Page } from './page.ts'

/** A list that is read page by page while it is iterated. */
export class List<T> implements AsyncIterable<T> {
  readonly #pages: () => AsyncIterable<Page<T>>

  constructor(pages: () => AsyncIterable<Page<T>>) {
    this.#pages = pages
  }

  /** Yields each item; requests the next page when the previous one is used up. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.#pages()) yield* items
  }

  /** Yields each page. */
  pages(): AsyncIterable<Page<T>> {
    return this.#pages()
  }

  /** Reads only the first page, which has the total and the resource version for a watch. */
  async firstPage(): Promise<Page<T>> {
    for await (const page of this.#pages()) return page
    return { items: [], total: 0, resourceVersion: '' }
  }

  /** Reads all pages. */
  async toArray(): Promise<T[]> {
    const items: T[] = []
    for await (const page of this.#pages()) items.push(...page.items)
    return items
  }
}
