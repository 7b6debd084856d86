import { InvalidArgumentError } from 'commander'

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The moment of a `--since` option: a time, or a duration before the time that it receives. */
export type Since = (now: Date) => Date

/** Reads an argument such as `30m`, `7d`, `2026-11-22` or `2026-11-22T08:00:00Z`. */
export function since(text: string): Since {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? []
  if (amount !== undefined) {
    const ms = Number(amount) * (UNITS[unit] ?? 0)
    return (now) => new Date(Math.max(0, now.getTime() - ms))
  }
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (!Number.isNaN(time.getTime())) return () => time
  throw new InvalidArgumentError('It must be a duration such as 30m or 7d, or a time in RFC 3339.')
}
