/** Returns a function that picks values at random, in proportion to their weights. */
export function weightedChoice<T>(
  entries: readonly (readonly [weight: number, value: T])[],
  random: () => number,
): () => T {
  const [first] = entries
  if (first === undefined) throw new Error('nothing to choose from')
  const total = entries.reduce((sum, [weight]) => sum + weight, 0)
  return () => {
    let rest = random() * total
    for (const [weight, value] of entries) {
      rest -= weight
      if (rest < 0) return value
    }
    return first[1]
  }
}
