import { BACKSLASH } from './characters.ts'
import { defectOf } from './scan-quoted.ts'
import type { Token } from './token.ts'

/** The escaped characters that do not mean themselves. */
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/**
 * Scans the text in double quotes or backticks that begins at `start`. Only TSL 6 has these quotes,
 * so a backslash escapes the next character, as in TSL 6. In single quotes it is an ordinary
 * character, as in TSL 3.
 */
export function scanEscaped(text: string, start: number): Token {
  const quote = text.charCodeAt(start)
  const pieces: string[] = []
  let from = start + 1
  let at = from
  while (at < text.length && text.charCodeAt(at) !== quote) {
    const next = text.charAt(at + 1)
    if (text.charCodeAt(at) === BACKSLASH && next !== '') {
      pieces.push(text.slice(from, at), CONTROLS.get(next) ?? next)
      from = at + 2
      at = from
    } else at += 1
  }
  if (at >= text.length) {
    const hint = `close it with ${String.fromCharCode(quote)}`
    const what = 'text without its closing quote'
    return { type: 'invalid', what, hint, start, end: text.length }
  }
  const value = [...pieces, text.slice(from, at)].join('')
  const defect = defectOf(value)
  return defect === null
    ? { type: 'string', value, written: text.slice(start, at + 1), start, end: at + 1 }
    : { type: 'invalid', ...defect, start, end: at + 1 }
}
