import type { ServerResponse } from 'node:http'

/** Warnings of a response at most, so that it stays small for any request. */
export const MAX_WARNINGS = 10
/** Characters of a warning at most. */
const MAX_LENGTH = 200

const NOT_QUOTABLE = /[^\x20-\x7e]/g
const ESCAPED = /["\\]/g

/**
 * Adds a `Warning` line for each text, of which there may be fewer than `count`. The code 299 is a
 * persistent warning, and `-` means this server. Question marks replace characters that a header
 * cannot contain.
 */
export function setWarnings(
  response: ServerResponse,
  texts: readonly string[],
  count: number,
): void {
  if (count === 0) return
  const shown = texts.slice(0, MAX_WARNINGS)
  const rest = count - shown.length
  const all = rest > 0 ? [...shown, `${rest} more warnings are not shown`] : shown
  response.setHeader('Warning', all.map(lineOf))
}

/** Adds a line before those that are set. */
export function addWarning(response: ServerResponse, text: string): void {
  const set = response.getHeader('Warning')
  response.setHeader('Warning', [lineOf(text), ...(Array.isArray(set) ? set : [])])
}

function lineOf(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text
  return `299 - "${short.replaceAll(NOT_QUOTABLE, '?').replaceAll(ESCAPED, '\\$&')}"`
}
