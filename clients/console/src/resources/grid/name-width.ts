/** Pixels of a character of a name, on average, and around the name. */
const CHARACTER = 7.2
const AROUND = 12
const LEAST = 140

/** The width at which the longest of the names is complete. */
export function nameWidth(names: readonly string[]): number {
  const longest = Math.max(0, ...names.map(({ length }) => length))
  return Math.max(LEAST, Math.ceil(longest * CHARACTER) + AROUND)
}
