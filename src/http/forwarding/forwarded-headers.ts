import type { IncomingMessage } from 'node:http'

/** Headers that concern one connection (RFC 9110, 7.6.1), and `Expect`, which is answered already. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** The headers of a request for another server: all except those of the connection. */
export function requestHeaders(
  request: IncomingMessage,
  own: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const dropped = connectionHeaders(request)
  const headers: Record<string, string | string[]> = {}
  for (const [name, lines] of Object.entries(request.headersDistinct)) {
    if (lines !== undefined && !dropped.has(name))
      headers[name] = lines.length > 1 ? lines : (lines[0] ?? '')
  }
  const { remoteAddress } = request.socket
  if (remoteAddress !== undefined) {
    const before = request.headersDistinct['x-forwarded-for'] ?? []
    headers['x-forwarded-for'] = [...before, remoteAddress].join(', ')
  }
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked'
  return { ...headers, ...own }
}

/** The headers of a response as a flat list, with repeated names, except those of the connection. */
export function responseHeaders(
  response: IncomingMessage,
  hidden: ReadonlySet<string>,
): readonly string[] {
  const dropped = connectionHeaders(response)
  const { rawHeaders } = response
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const lower = name.toLowerCase()
    if (!dropped.has(lower) && !hidden.has(lower)) headers.push(name, rawHeaders[at + 1] ?? '')
  }
  return headers
}

/** The headers of the connection, with those that `Connection` names. */
function connectionHeaders({ headers }: IncomingMessage): ReadonlySet<string> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return new Set([...OF_CONNECTION, ...named])
}
