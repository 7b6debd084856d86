import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Any character, also unassigned ones: the same samples as `unit: 'binary'`, which first builds a map
 * of all of them. It takes a second of processor time and 116 MB.
 */
export const ANY_CHARACTER: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map(
    (place) => String.fromCodePoint(place + (place < SURROGATES.first ? 0 : SURROGATES.count)),
    placeOf,
  )

function placeOf(value: unknown): number {
  const codePoint = typeof value === 'string' ? value.codePointAt(0) : undefined
  if (codePoint === undefined) throw new Error('not a character')
  return codePoint - (codePoint < SURROGATES.first ? 0 : SURROGATES.count)
}
