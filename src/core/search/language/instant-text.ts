import type { Instant } from './time-literal.ts'
import { trimEnd } from './trim-end.ts'

/**
 * A form of times in UTC (`...Z`) in which text orders as time does and equal times are equal text,
 * whatever the number of their digits: cut at the end down to a digit other than zero. `compile`
 * has the same as rtrim.
 */
export function sortableText(time: string): string {
  return trimEnd(time, 'Z0.')
}

/** The instant in that form. */
export function sortableInstant({ millisecond, fraction }: Instant): string {
  return sortableText(new Date(millisecond).toISOString().replace('Z', fraction))
}

/**
 * ISO 8601 in UTC for a comparison with times of whole milliseconds: an instant between two of
 * them is written half-way, which orders alike.
 */
export function millisecondText({ millisecond, fraction }: Instant): string {
  const text = new Date(millisecond).toISOString()
  return fraction === '' ? text : text.replace('Z', '5Z')
}
