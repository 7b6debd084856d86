/** A value ends before a comma, a name and an equals sign, unless it is in double quotes. */
const VALUE = /([a-z-]+)=("(?:[^"\\]|\\.)*"|.*?)\s*(?:,\s*(?=[a-z-]+=)|$)/sy
const ESCAPED = /\\(["\\])/g

/**
 * Reads a variable with several values, such as `listen=unix:/a,unix:/b,capacity=9`: a value may
 * contain commas. Messages never show a value, because it may be secret.
 */
export function readGroupedValues(
  text: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const rest = text.trim()
  for (let position = 0; position < rest.length; position = VALUE.lastIndex) {
    VALUE.lastIndex = position
    const [, name, value] = VALUE.exec(rest) ?? []
    if (name === undefined || value === undefined) {
      throw new Error(`expected name=value with the names ${names.join(', ')}`)
    }
    if (!names.includes(name)) {
      throw new Error(`unknown name '${name}': expected ${names.join(', ')}`)
    }
    if (values.has(name)) throw new Error(`the name '${name}' appears twice`)
    values.set(name, unquoted(value))
  }
  return values
}

function unquoted(value: string): string {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  return isQuoted ? value.slice(1, -1).replace(ESCAPED, '$1') : value
}

/** Writes a variable with several values, without those that are empty. */
export function writeGroupedValues(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(',')
}

function quoted(value: string): string {
  const isPlain = !value.startsWith('"') && value === value.trim() && !/,\s*[a-z-]+=/.test(value)
  return isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}
