import { DOT, isBlank, isDigit, isExponentMark, isSign, skip } from './characters.ts'
import type { Token } from './token.ts'

export const NO_ARITHMETIC = 'arithmetic is not supported'

/** TSL 5 reads `5K` as 5120, and TSL 6 as 5000. */
const AMBIGUOUS = 'K'
const POWERS: ReadonlyMap<string, number> = new Map([
  ['k', 1],
  ['m', 2],
  ['g', 3],
  ['t', 4],
  ['p', 5],
])

/**
 * Scans the number that begins with a sign or digit at `start`. Blanks may follow the sign, and a
 * suffix of size the digits. No separator is needed after the number: `1and` is a number and a
 * keyword.
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
  const plain = (signed ? text.charAt(start) : '') + text.slice(digits, end)
  return scanSuffix(text, { start, end, plain })
}

interface Plain {
  readonly start: number
  readonly end: number
  /** The number without blanks. */
  readonly plain: string
}

/** The number with its suffix: `k`, `M`, `G`, `T`, `P`, or these with `i`. */
function scanSuffix(text: string, { start, end, plain }: Plain): Token {
  const power = POWERS.get(text.charAt(end).toLowerCase())
  if (power === undefined) return { type: 'number', text: plain, decimal: plain, start, end }
  const binary = text.charAt(end + 1).toLowerCase() === 'i'
  if (text.charAt(end) === AMBIGUOUS && !binary) {
    const hint = 'write k for 1000 or Ki for 1024'
    return { type: 'invalid', what: null, hint, start, end: end + 1 }
  }
  const after = binary ? end + 2 : end + 1
  const decimal = multiply(plain, (binary ? 1024n : 1000n) ** BigInt(power))
  return { type: 'number', text: plain + text.slice(end, after), decimal, start, end: after }
}

/** The exact product of a number and a factor. */
function multiply(plain: string, factor: bigint): string {
  const [mantissa = '', exponent = '0'] = plain.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.')
  const sign = plain.startsWith('-') ? '-' : ''
  const power = BigInt(exponent) - BigInt(fraction.length)
  return `${sign}${BigInt(whole + fraction) * factor}e${power}`
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
