export const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
export const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

const SURROGATE = /[\ud800-\udfff]/

/** Whether a code point of two UTF-16 units starts at the index. */
export function isPair(text: string, index: number): boolean {
  return isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))
}

/** The code points in the first UTF-16 units of a text. */
export function characterCount(text: string, units = text.length): bigint {
  const first = text.search(SURROGATE)
  if (first < 0) return BigInt(units)
  let count = units
  for (let index = first + 1; index < units; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count -= 1
  }
  return BigInt(count)
}
