/**
 * Orders text by code point, as PostgreSQL's collation "C" does: below zero where the first text
 * comes first. JavaScript's own order is by UTF-16 unit, in which U+1F600 precedes U+FFFD.
 */
export function compareText(first: string, second: string): number {
  const shared = Math.min(first.length, second.length)
  for (let at = 0; at < shared; at += 1) {
    const difference = rank(first.charCodeAt(at)) - rank(second.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return first.length - second.length
}

/** Moves the surrogates above all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}
