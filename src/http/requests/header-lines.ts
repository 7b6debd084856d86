import type { IncomingMessage } from 'node:http'

/**
 * The values of all lines of a header, in order; `name` must be in lower case. Node's `headers` has
 * only the first line of some repeated headers.
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const key = rawHeaders[index] ?? ''
    if (key.length === name.length && key.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? '')
    }
  }
  return values
}
