import { trimEnd } from './trim-end.ts'

/** `0.<digits>` times ten to the power of `magnitude`; no digits for zero. */
interface Decimal {
  readonly negative: boolean
  /** With no zero at either end. */
  readonly digits: string
  readonly magnitude: number
}

/** Beyond it there is no double, neither great nor tiny. */
const LAST_MAGNITUDE = 400

/** The number that a literal or JSON writes: exact, whatever the number of its digits. */
export function readDecimal(text: string): Decimal {
  const negative = text.startsWith('-')
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shown = whole + fraction
  const cut = shown.replace(/^0+/, '')
  const digits = trimEnd(cut, '0')
  if (digits === '') return { negative: false, digits, magnitude: 0 }
  const leadingZeros = shown.length - cut.length
  return { negative, digits, magnitude: Number(exponent) + whole.length - leadingZeros }
}

/**
 * The number written in the one way that equal numbers share, as SQL reads it. What is greater or nearer to
 * zero than any double becomes a number that is so too, since SQL's numbers have an end as well.
 */
export function canonicalDecimal(text: string): string {
  const { negative, digits, magnitude } = readDecimal(text)
  if (digits === '') return '0'
  const sign = negative ? '-' : ''
  if (magnitude > LAST_MAGNITUDE) return `${sign}1e${LAST_MAGNITUDE}`
  if (magnitude < -LAST_MAGNITUDE) return `${sign}1e-${LAST_MAGNITUDE}`
  const exponent = magnitude - digits.length
  return exponent === 0 ? sign + digits : `${sign}${digits}e${exponent}`
}

/** Orders numbers by their decimal digits: below zero where the first one is less. */
export function compareDecimals(first: string, second: string): number {
  const [a, b] = [readDecimal(first), readDecimal(second)]
  const difference = signOf(a) - signOf(b)
  if (difference !== 0 || a.digits === '') return difference
  return a.negative ? compareSizes(b, a) : compareSizes(a, b)
}

function signOf({ negative, digits }: Decimal): number {
  if (digits === '') return 0
  return negative ? -1 : 1
}

function compareSizes(a: Decimal, b: Decimal): number {
  if (a.magnitude !== b.magnitude) return a.magnitude - b.magnitude
  if (a.digits === b.digits) return 0
  return a.digits < b.digits ? -1 : 1
}
