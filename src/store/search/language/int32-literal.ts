import { readDecimal } from './decimal.ts'

const MAX_INT32 = 2_147_483_647
const MAX_DIGITS = String(MAX_INT32).length

/**
 * Parses a number literal as a 32-bit integer (`1e3` and `7.0` are integers), or returns the
 * problem. Uses the digits, because a double would round a tiny fraction away.
 */
export function readInt32(text: string): number | { readonly problem: string } {
  const { negative, digits, magnitude } = readDecimal(text)
  if (digits === '') return 0
  if (magnitude < digits.length) return { problem: 'expected an integer' }
  if (magnitude > MAX_DIGITS) return outOfRange()
  const value = Number(digits.padEnd(magnitude, '0'))
  if (value > MAX_INT32 + (negative ? 1 : 0)) return outOfRange()
  return negative ? -value : value
}

function outOfRange(): { readonly problem: string } {
  return { problem: `expected an integer from ${-MAX_INT32 - 1} to ${MAX_INT32}` }
}
