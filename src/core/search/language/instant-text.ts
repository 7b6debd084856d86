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

/**
 * ISO 8601 in UTC, for comparisons with times in whole milliseconds. An instant between two
 * milliseconds becomes the half-way point, which compares the same.
 */
export function millisecondText({ millisecond, fraction }: Instant): string {
  const text = new Date(millisecond).toISOString()
  return fraction === '' ? text : text.replace('Z', '5Z')
}
