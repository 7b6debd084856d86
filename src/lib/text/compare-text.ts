/**
 * Compares text by code point, as PostgreSQL's collation "C" does. The result is negative if
 * `first` sorts first. JavaScript compares UTF-16 units, so that U+1F600 precedes U+FFFD.
 */
export function compareText(first: string, second: string): number {
  const shared = Math.min(first.length, second.length)
  for (let at = 0; at < shared; at += 1) {
    const difference = codePointRank(first.charCodeAt(at)) - codePointRank(second.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return first.length - second.length
}

/** Ranks surrogates above all other units. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}
