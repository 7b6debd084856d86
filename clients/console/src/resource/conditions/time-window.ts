import type { ConditionHistory } from './condition-history.ts'

/** The times that a period bar shows, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * The window of a period bar: from the oldest recorded change to now, at least a minute. Changes of
 * the last day are not squeezed by older ones.
 */
export function timeWindow(
  histories: readonly ConditionHistory[],
  created: number,
  now: number,
): TimeWindow {
  const starts = histories.flatMap(({ periods }) =>
    periods.map(({ from }) => from).filter((from) => from !== null),
  )
  const recent = starts.filter((start) => start > now - DAY_MS)
  const oldest = Math.min(...(recent.length > 0 ? recent : starts), now - MINUTE_MS)
  const margin = (now - oldest) * 0.05
  return { from: Math.max(created, oldest - margin), to: Math.max(now, created + MINUTE_MS) }
}

/** A place in a window, as a fraction from 0 to 1. */
export function placeIn({ from, to }: TimeWindow, time: number | null): number {
  if (time === null) return 0
  return Math.min(1, Math.max(0, (time - from) / (to - from)))
}
