import type { IncomingMessage } from 'node:http'

/**
 * The values of every line of a header, in their order. Node's `headers` has the first line alone
 * of headers that must not be repeated; this name is in lower case.
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
