import { trimEnd } from './trim-end.ts'

const DATE_AND_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?)?$/
const MIN_TIME = utc(1, 1, 1)
const MAX_TIME = utc(9999, 12, 31) + 86_399_999

/** A point in time, exact to any digit. */
export interface Instant {
  /** Whole milliseconds since the epoch. */
  readonly millisecond: number
  /** The digits of the second after the third, without trailing zeros. */
  readonly fraction: string
}

/** Parses a time or date of a search, or returns the problem. */
export function readTime(text: string): Instant | { readonly problem: string } {
  const match = DATE_AND_TIME.exec(text)
  if (match === null) {
    return { problem: "expected an RFC 3339 time such as '2026-01-31T12:00:00Z' or a date" }
  }
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match
  if (hour !== undefined && zone === undefined) {
    return { problem: 'expected a time with its zone: append Z or an offset such as +02:00' }
  }
  const midnight = utc(Number(year), Number(month), Number(day))
  const offset = offsetOf(zone ?? 'Z')
  const clock = clockOf(hour ?? '00', minute ?? '00', second ?? '00')
  if (Number.isNaN(midnight) || clock === null || offset === null) {
    return { problem: 'expected a time that exists' }
  }
  const millisecond = midnight + clock + Number(fraction.slice(0, 3).padEnd(3, '0')) - offset
  if (midnight < MIN_TIME || millisecond < MIN_TIME || millisecond > MAX_TIME) {
    return { problem: 'expected a time in the years 0001 to 9999' }
  }
  return { millisecond, fraction: trimEnd(fraction.slice(3), '0') }
}

/** Midnight of a day in milliseconds since 1970, or NaN if the day does not exist. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.getTime() : Number.NaN
}

function clockOf(hour: string, minute: string, second: string): number | null {
  if (hour > '23' || minute > '59' || second > '59') return null
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
}

function offsetOf(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const clock = clockOf(zone.slice(1, 3), zone.slice(4), '00')
  return clock === null || zone.startsWith('+') ? clock : -clock
}
