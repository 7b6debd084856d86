/** The next value begins after a comma with a name and an equals sign. */
const SEPARATOR = /,\s*(?=[a-z-]+=)/

/**
 * Reads a variable with several values, such as `listen=unix:/a,unix:/b,capacity=9`: a value may
 * contain commas. Messages never show a value, because it may be secret.
 */
export function readGroupedValues(
  text: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const part of text.trim().split(SEPARATOR)) {
    const [, name, value] = /^([a-z-]+)=(.*)$/s.exec(part) ?? []
    if (name === undefined || value === undefined) {
      throw new Error(`expected name=value with the names ${names.join(', ')}`)
    }
    if (!names.includes(name)) {
      throw new Error(`unknown name '${name}': expected ${names.join(', ')}`)
    }
    if (values.has(name)) throw new Error(`the name '${name}' appears twice`)
    values.set(name, value.trim())
  }
  return values
}
