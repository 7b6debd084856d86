const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

/** The step of each range in seconds, and its length. */
const RANGES = {
  hour: { step: 60, length: 3600 },
  day: { step: 300, length: DAY_SECONDS },
  week: { step: 1800, length: 7 * DAY_SECONDS },
} as const

export type SeriesRange = keyof typeof RANGES

/** The times of the steps of a series. A step contains its end, but not its start. */
export interface SeriesWindow {
  readonly from: Date
  readonly to: Date
  readonly stepSeconds: number
  /** The number of steps. */
  readonly steps: number
}

/**
 * The window of a range that ends at the last full minute before a time. Minutes that are older than
 * a day are merged, so earlier windows have longer steps.
 */
export function seriesWindow(range: SeriesRange, end: Date, now: Date): SeriesWindow {
  const { step, length } = RANGES[range]
  const to = Math.floor(end.getTime() / 1000 / MINUTE_SECONDS) * MINUTE_SECONDS
  const isRecent = to - length >= now.getTime() / 1000 - DAY_SECONDS - MINUTE_SECONDS
  const stepSeconds = isRecent ? step : Math.max(step, 10 * MINUTE_SECONDS)
  return {
    from: new Date((to - length) * 1000),
    to: new Date(to * 1000),
    stepSeconds,
    steps: length / stepSeconds,
  }
}
