/** Returns random integers below a limit. The same seed gives the same sequence. */
function seededRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Random texts of at most `maxParts` of the parts. */
export function randomTexts(
  parts: readonly string[],
  {
    seed,
    count,
    maxParts,
  }: { readonly seed: number; readonly count: number; readonly maxParts: number },
): readonly string[] {
  const below = seededRandom(seed)
  const text = (): string =>
    Array.from({ length: 1 + below(maxParts) }, () => parts[below(parts.length)]).join('')
  return Array.from({ length: count }, text)
}
