const DAY_MS = 86_400_000

/** A time of the last day as time of day, an older one with its date. */
export function timeLabel(time: number, now: number): string {
  const date = new Date(time)
  return now - time < DAY_MS ? date.toLocaleTimeString() : date.toLocaleString()
}
