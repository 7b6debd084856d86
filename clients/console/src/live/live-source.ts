import type { WatchEvent } from '../../../typescript/src/watch/watch-event.ts'

/** How a page opens its stream: options for any watch of the SDK. */
export interface LiveStart {
  readonly signal: AbortSignal
  /** Resumes after this version; undefined for a stream that starts with the existing objects. */
  readonly resourceVersion: string | undefined
  readonly onRetry: (error: unknown) => void
  readonly onConnect: () => void
}

/** The stream of a page. */
export interface LiveSource<T> {
  /** A new key restarts the stream from `from`. */
  readonly key: string
  /** The version to start after, such as that of a list. */
  readonly from?: string | undefined
  readonly open: (start: LiveStart) => AsyncIterable<WatchEvent<T>>
  /**
   * Receives events in order, at most four times per second, without bookmarks. Includes RESET
   * unless `onReset` is set.
   */
  readonly onBatch: (events: readonly WatchEvent<T>[]) => void
  /**
   * Called if the server no longer has the changes since the last event. Loads the page again and
   * returns the version to continue after. Without it, existing objects follow as ADDED.
   */
  readonly onReset?: (signal: AbortSignal) => Promise<string>
}
