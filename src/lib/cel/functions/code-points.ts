export const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
export const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

/** The code points in the first UTF-16 units of a text. */
export function characterCount(text: string, units = text.length): bigint {
  let count = units
  for (let index = 1; index < units; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count -= 1
  }
  return BigInt(count)
}
