const GREATEST = 2_147_483_647
const LONGEST = String(GREATEST).length

/**
 * The 32-bit integer that a number literal means (`1e3` and `7.0` are integers), or why it means
 * none. Works on the digits: a double would round a tiny fraction away.
 */
export function readInt32(text: string): number | { readonly problem: string } {
  const negative = text.startsWith('-')
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return 0
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length
  if (zeros < 0) return { problem: 'expected an integer' }
  if (significant.length + zeros > LONGEST) return outOfRange()
  const value = Number(significant + '0'.repeat(zeros))
  if (value > GREATEST + (negative ? 1 : 0)) return outOfRange()
  return negative ? -value : value
}

function outOfRange(): { readonly problem: string } {
  return { problem: `expected an integer from ${-GREATEST - 1} to ${GREATEST}` }
}
