import type { TimelineEntry } from './timeline-entry.ts'

/** The entries of a log that are loaded, newest first. */
export interface LoadedLog {
  readonly entries: readonly TimelineEntry[]
  /** Whether the log has older entries. */
  readonly hasMore: boolean
  /** The failure of the last request, or null. */
  readonly error: Error | null
}

/** The merged entries of several logs, newest first. */
export interface MergedTimeline {
  readonly entries: readonly TimelineEntry[]
  /** The indexes of the logs whose next pages continue the timeline; empty at its end. */
  readonly next: readonly number[]
}

/**
 * Merges logs by time. Entries that are older than the loaded part of any log are held back, because
 * its next page can have newer ones. Logs that have failed, or have no loaded entries, hold back none.
 */
export function mergeTimeline(logs: readonly LoadedLog[]): MergedTimeline {
  const ends = logs.map(endOf)
  const end = Math.max(BEGINNING, ...ends.filter((one) => one !== null))
  const entries = logs
    .flatMap((log) => log.entries)
    .filter(({ time }) => Date.parse(time) >= end)
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
  const next = ends.flatMap((one, index) =>
    one === null || (one === end && one !== BEGINNING) ? [index] : [],
  )
  return { entries, next }
}

const BEGINNING = Number.NEGATIVE_INFINITY

/** The time of the oldest loaded entry in milliseconds since 1970; null if only older pages have any. */
function endOf({ entries, hasMore, error }: LoadedLog): number | null {
  if (!hasMore || error !== null) return BEGINNING
  const last = entries.at(-1)
  return last === undefined ? null : Date.parse(last.time)
}
