const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

interface Range {
  /** The range ends before this number of seconds. */
  readonly below: number
  readonly unit: number
  readonly suffix: string
  /** A second, smaller unit. */
  readonly rest?: { readonly unit: number; readonly suffix: string }
}

const RANGES: readonly Range[] = [
  { below: 2 * MINUTE, unit: 1, suffix: 's' },
  { below: 10 * MINUTE, unit: MINUTE, suffix: 'm', rest: { unit: 1, suffix: 's' } },
  { below: 3 * HOUR, unit: MINUTE, suffix: 'm' },
  { below: 8 * HOUR, unit: HOUR, suffix: 'h', rest: { unit: MINUTE, suffix: 'm' } },
  { below: 2 * DAY, unit: HOUR, suffix: 'h' },
  { below: 8 * DAY, unit: DAY, suffix: 'd', rest: { unit: HOUR, suffix: 'h' } },
  { below: 2 * YEAR, unit: DAY, suffix: 'd' },
  { below: 8 * YEAR, unit: YEAR, suffix: 'y', rest: { unit: DAY, suffix: 'd' } },
]

/** A duration with two or three significant digits, as kubectl shows ages: `5m30s`, `3d`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000)
  // Clocks of different machines may differ slightly.
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  const range = RANGES.find(({ below }) => seconds < below)
  if (range === undefined) return `${Math.floor(seconds / YEAR)}y`
  const { unit, suffix, rest } = range
  const main = `${Math.floor(seconds / unit)}${suffix}`
  const remainder = rest === undefined ? 0 : Math.floor((seconds % unit) / rest.unit)
  return remainder === 0 ? main : `${main}${remainder}${rest?.suffix}`
}

/** The time since a timestamp (RFC 3339) in the form of an age column. */
export function ageOf(timestamp: string | undefined, now: Date): string {
  if (timestamp === undefined || timestamp === '') return '<unknown>'
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? '<invalid>' : humanDuration(now.getTime() - time)
}
