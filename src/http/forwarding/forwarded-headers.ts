import type { IncomingMessage } from 'node:http'

/** Headers that concern one connection (RFC 9110, 7.6.1), and `Expect`, which is answered already. */
export const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/**
 * The headers of a request for another server: all except those of the connection. `Connection` cannot
 * remove others, such as the length of the body or the caller that a gateway names.
 */
export function requestHeaders(
  request: IncomingMessage,
  own: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, lines] of Object.entries(request.headersDistinct)) {
    if (lines !== undefined && !OF_CONNECTION.has(name))
      headers[name] = lines.length > 1 ? lines : (lines[0] ?? '')
  }
  const { remoteAddress } = request.socket
  if (remoteAddress !== undefined) {
    const before = request.headersDistinct['x-forwarded-for'] ?? []
    headers['x-forwarded-for'] = [...before, remoteAddress].join(', ')
  }
  // A body has a length or chunks, never both.
  if (request.headers['transfer-encoding'] !== undefined) {
    delete headers['content-length']
    headers['transfer-encoding'] = 'chunked'
  }
  return { ...headers, ...own }
}

/** The headers of a response as a flat list, with repeated names, except those of the connection. */
export function responseHeaders(
  response: IncomingMessage,
  hidden: ReadonlySet<string>,
): readonly string[] {
  const dropped = new Set([...OF_CONNECTION, ...connectionOptions(response)])
  const { rawHeaders } = response
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const lower = name.toLowerCase()
    if (!dropped.has(lower) && !hidden.has(lower)) headers.push(name, rawHeaders[at + 1] ?? '')
  }
  return headers
}

/** The names that `Connection` contains, in lower case. */
export function connectionOptions({ headers }: IncomingMessage): readonly string[] {
  const names = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}
