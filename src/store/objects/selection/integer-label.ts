const INTEGER = /^[+-]?[0-9]{1,63}$/
const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

/** The integer in the range of an int64 that a label value denotes; null if there is none. */
export function integerLabel(text: string): bigint | null {
  if (!INTEGER.test(text)) return null
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return value < MIN_INT64 || value > MAX_INT64 ? null : value
}
