import { readDecimal } from './decimal.ts'

const GREATEST = 2_147_483_647
const LONGEST = String(GREATEST).length

/**
 * The 32-bit integer that a number literal means (`1e3` and `7.0` are integers), or why it means
 * none. Works on the digits: a double would round a tiny fraction away.
 */
export function readInt32(text: string): number | { readonly problem: string } {
  const { negative, digits, magnitude } = readDecimal(text)
  if (digits === '') return 0
  if (magnitude < digits.length) return { problem: 'expected an integer' }
  if (magnitude > LONGEST) return outOfRange()
  const value = Number(digits.padEnd(magnitude, '0'))
  if (value > GREATEST + (negative ? 1 : 0)) return outOfRange()
  return negative ? -value : value
}

function outOfRange(): { readonly problem: string } {
  return { problem: `expected an integer from ${-GREATEST - 1} to ${GREATEST}` }
}
