import { DOT, isBlank, isDigit, isExponentMark, isSign, skip } from './characters.ts'
import type { Token } from './token.ts'

export const NO_ARITHMETIC = 'arithmetic is not supported'

/**
 * Scans the number that begins with a sign or digit at `start`. Blanks may follow the sign. No
 * separator is needed after the number: `1and` is a number and a keyword.
 */
export function scanNumber(text: string, start: number): Token {
  const signed = isSign(text.charCodeAt(start))
  const digits = signed ? skip(text, start + 1, isBlank) : start
  if (!isDigit(text.charCodeAt(digits))) return signAlone(text, start)
  let end = skip(text, digits, isDigit)
  if (text.charCodeAt(end) === DOT) end = skip(text, end + 1, isDigit)
  if (isExponentMark(text.charCodeAt(end))) {
    const exponent = isSign(text.charCodeAt(end + 1)) ? end + 2 : end + 1
    const last = skip(text, exponent, isDigit)
    if (last === exponent) return exponentAlone(start, last)
    end = last
  }
  const sign = signed ? text.charAt(start) : ''
  return { type: 'number', text: sign + text.slice(digits, end), start, end }
}

function signAlone(text: string, start: number): Token {
  const comment = text.startsWith('--', start)
  return {
    type: 'invalid',
    what: null,
    hint: comment ? 'comments are not supported' : NO_ARITHMETIC,
    start,
    end: start + (comment ? 2 : 1),
  }
}

function exponentAlone(start: number, end: number): Token {
  return { type: 'invalid', what: null, hint: 'digits must follow the exponent', start, end }
}
