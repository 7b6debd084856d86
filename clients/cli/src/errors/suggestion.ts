const MAX_DISTANCE = 3

/** The most similar candidate, or null if none is similar. */
export function suggestion(word: string, candidates: Iterable<string>): string | null {
  const lower = word.toLowerCase()
  let best: { readonly text: string; readonly distance: number } | null = null
  for (const text of candidates) {
    const distance = editDistance(lower, text.toLowerCase())
    const limit = Math.min(MAX_DISTANCE, Math.ceil(text.length * 0.4))
    if (distance <= limit && (best === null || distance < best.distance)) best = { text, distance }
  }
  return best?.text ?? null
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into another. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + cost,
          isSwap ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
