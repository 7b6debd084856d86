import type { LoadedLog } from './merge-timeline.ts'

/** A log as a page loads it. */
export interface TimelineSource extends LoadedLog {
  /** In notes; unique in a timeline. */
  readonly name: string
  /** Before its first page. */
  readonly isPending: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  /** Repeats the request that failed. */
  readonly retry: () => void
  /** Which role shows the log to the caller; null if the caller sees it. */
  readonly hidden: string | null
  /** Why the log has no older entries; null if it is complete. */
  readonly end: string | null
}

/** A log about the object of the page, which its entries then need not name. */
export function ofOne(source: TimelineSource): TimelineSource {
  return { ...source, entries: source.entries.map((entry) => ({ ...entry, subject: null })) }
}

interface PagedQuery {
  readonly isFetchNextPageError: boolean
  readonly fetchNextPage: () => unknown
  readonly refetch: () => unknown
}

/** Repeats the failed request of a log with pages. */
export function retryPage(query: PagedQuery): void {
  void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())
}

/** A log that the caller may not read. */
export function hiddenSource(hidden: string): TimelineSource {
  return { ...EMPTY, hidden }
}

/** A log without entries. */
export const EMPTY: TimelineSource = {
  name: '',
  entries: [],
  hasMore: false,
  isPending: false,
  isLoadingMore: false,
  error: null,
  loadMore: () => undefined,
  retry: () => undefined,
  hidden: null,
  end: null,
}
