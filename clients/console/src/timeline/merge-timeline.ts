import type { TimelineEntry } from './timeline-entry.ts'

/** The entries of a log that are loaded, newest first. */
export interface LoadedLog {
  readonly entries: readonly TimelineEntry[]
  /** Whether the log has older entries. */
  readonly hasMore: boolean
}

/** The merged entries of several logs, newest first. */
export interface MergedTimeline {
  readonly entries: readonly TimelineEntry[]
  /** The indexes of the logs whose next pages continue the timeline; empty at its end. */
  readonly next: readonly number[]
}

/**
 * Merges logs by time. Entries that are older than the loaded part of any log are held back, because
 * its next page can have newer ones.
 */
export function mergeTimeline(logs: readonly LoadedLog[]): MergedTimeline {
  const ends = logs.map(({ entries, hasMore }) => (hasMore ? endOf(entries) : BEGINNING))
  const end = Math.max(BEGINNING, ...ends)
  const entries = logs
    .flatMap((log) => log.entries)
    .filter(({ time }) => Date.parse(time) >= end)
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
  const next = end === BEGINNING ? [] : ends.flatMap((one, index) => (one === end ? [index] : []))
  return { entries, next }
}

const BEGINNING = Number.NEGATIVE_INFINITY

/** The time of the oldest loaded entry in milliseconds since 1970; infinite without entries. */
function endOf(entries: readonly TimelineEntry[]): number {
  const last = entries.at(-1)
  return last === undefined ? Number.POSITIVE_INFINITY : Date.parse(last.time)
}
