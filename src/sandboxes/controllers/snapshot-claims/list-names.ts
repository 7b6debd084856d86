const MAX_NAMES = 5

/** Up to five quoted names in order, for messages: `"a", "b" and 3 more`. */
export function listNames(names: readonly string[]): string {
  const sorted = names.toSorted()
  const shown = sorted.slice(0, MAX_NAMES).map((name) => `"${name}"`)
  const rest = sorted.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}
