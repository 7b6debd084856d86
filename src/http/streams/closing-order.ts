/** How far the client of a stream is behind. */
interface ClientProgress {
  /** Bytes that wait because the client does not read. */
  readonly blockedBytes: number
  /** When the client last had read everything, on the process clock. */
  readonly progressedAt: number
}

/**
 * Streams in the order in which they are closed to free memory: most blocked bytes first, and
 * among equals the longest time without progress first.
 */
export function inClosingOrder<T extends ClientProgress>(streams: readonly T[]): readonly T[] {
  return streams.toSorted(
    (a, b) => b.blockedBytes - a.blockedBytes || a.progressedAt - b.progressedAt,
  )
}
