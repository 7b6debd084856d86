/** Pairs such as `name=value,other=value%202`, whose values are percent-encoded. */
export type NameValuePairs = Readonly<Record<string, string>>

/** Reads the format of OpenTelemetry's variables. Messages never show a value: it may be secret. */
export function readNameValuePairs(text: string): NameValuePairs {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const end = pair.indexOf('=')
      const name = pair.slice(0, end).trim()
      if (end < 1 || name === '') throw new Error('expected pairs such as name=value,other=value')
      return [name, decoded(name, pair.slice(end + 1).trim())] as const
    })
  return Object.fromEntries(pairs)
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (cause) {
    throw new Error(`the value of '${name}' is not percent-encoded UTF-8`, { cause })
  }
}
