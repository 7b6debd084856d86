import type { Instant } from './time-literal.ts'
import { trimEnd } from './trim-end.ts'

/**
 * A form of a UTC time (`...Z`) whose text order is the order of time, for any number of digits:
 * trailing zeros, `.` and `Z` are removed. The SQL of `compile` uses rtrim for it.
 */
export function sortableText(time: string): string {
  return trimEnd(time, 'Z0.')
}

/** The instant in the sortable form. */
export function sortableInstant({ millisecond, fraction }: Instant): string {
  return sortableText(new Date(millisecond).toISOString().replace('Z', fraction))
}

/** ISO 8601 in UTC without the digits after the sixth, which PostgreSQL would round. */
export function microsecondText({ millisecond, fraction }: Instant): string {
  return new Date(millisecond).toISOString().replace('Z', `${fraction.slice(0, 3)}Z`)
}

/** Whether the instant is between two microseconds, so that no stored time equals it. */
export function isBetweenMicroseconds({ fraction }: Instant): boolean {
  return fraction.length > 3
}
