import type { Token } from './token.ts'

const DATE = /\d{4}-\d\d-\d\d/y
const TIME = /T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/y

/** Scans the date or time without quotes at `start`, as text. Null if there is none. */
export function scanTime(text: string, start: number): Token | null {
  const date = matchAt(DATE, text, start)
  if (date === null) return null
  const time = matchAt(TIME, text, start + date.length) ?? ''
  const end = start + date.length + time.length
  // The scanner of TSL 6 does not end a time at this bracket, so the same list fails there.
  if (time !== '' && text.charAt(end) === ']') {
    return { type: 'invalid', what: null, hint: "quote times before ']'", start, end }
  }
  return { type: 'string', value: date + time, written: date + time, start, end }
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}
