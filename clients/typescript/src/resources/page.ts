/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The number of items of all pages. */
  readonly total: number
  /** A watch can start here. If a list has several pages, use the version of the first page. */
  readonly resourceVersion: string
}
