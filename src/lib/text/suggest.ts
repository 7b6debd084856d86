/** The candidate that the word most likely misspells; null if none is similar. */
export function suggest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  let least = Infinity
  for (const candidate of candidates) {
    const tolerance = Math.min(3, Math.floor(candidate.length / 3) + 1)
    if (Math.abs(word.length - candidate.length) > tolerance) continue
    const distance = edits(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= tolerance && distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

/** The Levenshtein distance. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
