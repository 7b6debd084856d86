/** A snapshot driver of another program. */
export interface DriverAddress {
  readonly name: string
  /** `unix:/path` or `https://host:port`. */
  readonly endpoint: string
}

/** Reads a JSON array of names and endpoints. */
export function readDriverAddresses(text: string): readonly DriverAddress[] {
  const value = parse(text)
  if (!Array.isArray(value) || !value.every(isAddress)) {
    throw new Error(
      `expected a JSON array such as [{"name":"my-driver","endpoint":"unix:/run/my.sock"}], found '${text}'`,
    )
  }
  return value.map(({ name, endpoint }) => ({ name, endpoint }))
}

function isAddress(value: unknown): value is DriverAddress {
  if (typeof value !== 'object' || value === null) return false
  if (!('name' in value) || !('endpoint' in value)) return false
  const { name, endpoint } = value
  return (
    typeof name === 'string' &&
    name !== '' &&
    typeof endpoint === 'string' &&
    /^(unix:\/|https:\/\/)/.test(endpoint)
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
