import { trimEnd } from './trim-end.ts'

/** `0.<digits>` times ten to the power of `magnitude`; no digits for zero. */
interface Decimal {
  readonly negative: boolean
  /** Without leading and trailing zeros. */
  readonly digits: string
  readonly magnitude: number
}

/** Beyond the range of doubles, in both directions. */
const MAX_MAGNITUDE = 400

/** Parses a number of a literal or of JSON, exact for any number of digits. */
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
 * The canonical text of a number: equal numbers have equal texts, which SQL can parse. A number
 * beyond the range of doubles is replaced by 1e400 or 1e-400, because SQL's range is limited too.
 */
export function canonicalDecimal(text: string): string {
  const { negative, digits, magnitude } = readDecimal(text)
  if (digits === '') return '0'
  const sign = negative ? '-' : ''
  if (magnitude > MAX_MAGNITUDE) return `${sign}1e${MAX_MAGNITUDE}`
  if (magnitude < -MAX_MAGNITUDE) return `${sign}1e-${MAX_MAGNITUDE}`
  const exponent = magnitude - digits.length
  return exponent === 0 ? sign + digits : `${sign}${digits}e${exponent}`
}

/** Compares numbers by their decimal digits; negative if the first is less. */
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

/**
 * The number without exponent, as PostgreSQL writes a number of JSON; null beyond the range of
 * doubles.
 */
export function plainDecimal(text: string): string | null {
  const { negative, digits, magnitude } = readDecimal(text)
  if (digits === '') return '0'
  if (Math.abs(magnitude) > MAX_MAGNITUDE) return null
  const padded = digits.padEnd(magnitude, '0')
  const whole = magnitude > 0 ? padded.slice(0, magnitude) : '0'
  const fraction = magnitude > 0 ? padded.slice(magnitude) : '0'.repeat(-magnitude) + digits
  return (negative ? '-' : '') + whole + (fraction === '' ? '' : `.${fraction}`)
}
