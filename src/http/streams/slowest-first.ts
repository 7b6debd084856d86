/** What waits for the client of a stream. */
export interface Slowness {
  readonly blockedBytes: number
  /** When the client last took everything that had been sent. */
  readonly progressedAt: number
}

/**
 * The order in which streams are closed when memory runs out: those whose clients leave the most
 * bytes first, and among equals those without progress for the longest time.
 */
export function slowestFirst<T extends Slowness>(streams: readonly T[]): readonly T[] {
  return streams.toSorted(
    (a, b) => b.blockedBytes - a.blockedBytes || a.progressedAt - b.progressedAt,
  )
}
