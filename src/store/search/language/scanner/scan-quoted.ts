import { QUOTE, isHighSurrogate, isLowSurrogate } from './characters.ts'
import type { Token } from './token.ts'

/** The description and hint of an invalid token. */
interface Defect {
  readonly what: string
  readonly hint: string
}

interface Quoted {
  readonly value: string
  /** The position after the closing quote, or the end of the text. */
  readonly end: number
  /** Null if the text is valid. */
  readonly defect: Defect | null
}

/** Scans the quoted text whose opening quote is at `start`. A doubled quote means one quote. */
export function scanQuoted(text: string, start: number): Quoted {
  const quote = text.charCodeAt(start)
  let doubled = false
  let at = start + 1
  for (; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== quote) continue
    if (text.charCodeAt(at + 1) !== quote) break
    doubled = true
    at += 1
  }
  const inside = text.slice(start + 1, at)
  const sign = String.fromCharCode(quote)
  if (at >= text.length) {
    return { value: inside, end: text.length, defect: unclosed(inside, sign) }
  }
  const value = doubled ? inside.replaceAll(sign + sign, sign) : inside
  return { value, end: at + 1, defect: defectOf(value) }
}

/** Scans the string literal whose opening quote is at `start`. */
export function scanString(text: string, start: number): Token {
  const { value, end, defect } = scanQuoted(text, start)
  return defect === null
    ? { type: 'string', value, start, end }
    : { type: 'invalid', ...defect, start, end }
}

/** The hint for `\'`. */
export const NO_BACKSLASH_ESCAPE = "a backslash escapes nothing: write '' for a quote inside text"

function unclosed(inside: string, sign: string): Defect {
  const escaped = sign.charCodeAt(0) === QUOTE && inside.includes("\\'")
  return {
    what: 'text without its closing quote',
    hint: escaped ? NO_BACKSLASH_ESCAPE : `close it with ${sign}`,
  }
}

/** The defect of text that PostgreSQL cannot store; null if it can. */
export function defectOf(value: string): Defect | null {
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    if (unit === 0) return { what: 'text with U+0000', hint: 'no stored text contains it' }
    if (isHighSurrogate(unit) && isLowSurrogate(value.charCodeAt(at + 1))) at += 1
    else if (isHighSurrogate(unit) || isLowSurrogate(unit)) {
      return { what: 'text with half a surrogate pair', hint: 'send valid UTF-8' }
    }
  }
  return null
}
