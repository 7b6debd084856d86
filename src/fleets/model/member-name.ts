/** The least number of digits of the index in a name. */
const MIN_DIGITS = 4

/** The prefix of a fleet's members if its spec has none. */
export function defaultPrefix(fleet: string): string {
  return `${fleet}-`
}

/** The name of the member with an index, such as `rl-0007`. */
export function memberName(prefix: string, index: number): string {
  return prefix + String(index).padStart(MIN_DIGITS, '0')
}

/** The index in the name of a member; null if the name does not consist of prefix and index. */
export function indexOfMember(prefix: string, name: string): number | null {
  const digits = name.slice(prefix.length)
  if (!/^\d{4,9}$/.test(digits)) return null
  const index = Number(digits)
  return memberName(prefix, index) === name ? index : null
}
