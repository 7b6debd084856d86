import { QUOTE, isHighSurrogate, isLowSurrogate } from './characters.ts'
import type { Token } from './token.ts'

interface Quoted {
  readonly value: string
  /** The position after the closing quote, or the end of the text. */
  readonly end: number
  /** The description and hint of an invalid token, or null if the text is valid. */
  readonly defect: { readonly what: string; readonly hint: string } | null
}

/** Scans the quoted text whose opening quote is at `start`. A doubled quote means one quote. */
export function scanQuoted(text: string, start: number): Quoted {
  const quote = text.charCodeAt(start)
  let unstorable: number | null = null
  let doubled = false
  let at = start + 1
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      if (text.charCodeAt(at + 1) !== quote) break
      doubled = true
      at += 1
    } else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1))) {
      at += 1
    } else if (unit === 0 || isHighSurrogate(unit) || isLowSurrogate(unit)) {
      unstorable ??= unit
    }
  }
  const inside = text.slice(start + 1, at)
  const sign = String.fromCharCode(quote)
  if (at >= text.length) {
    return { value: inside, end: text.length, defect: unclosed(inside, sign) }
  }
  const value = doubled ? inside.replaceAll(sign + sign, sign) : inside
  return { value, end: at + 1, defect: unstorable === null ? null : cannotHold(unstorable) }
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

function unclosed(inside: string, sign: string): Quoted['defect'] {
  const escaped = sign.charCodeAt(0) === QUOTE && inside.includes("\\'")
  return {
    what: 'text without its closing quote',
    hint: escaped ? NO_BACKSLASH_ESCAPE : `close it with ${sign}`,
  }
}

function cannotHold(unit: number): Quoted['defect'] {
  return unit === 0
    ? { what: 'text with U+0000', hint: 'no stored text contains it' }
    : { what: 'text with half a surrogate pair', hint: 'send valid UTF-8' }
}
