import { type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { SANDBOX_HEADER } from 'flotilla/planes'
import type { ApiServers } from './api-servers.ts'

/**
 * The headers that reach the server. Others could be those by which a server recognizes users and
 * tenants of its gateway, or requests of other servers.
 */
const FORWARDED =
  /^(authorization|accept(-.*)?|content-(type|length|encoding)|transfer-encoding|user-agent|if-.*|impersonate-.*|range|traceparent|tracestate|expect)$/
/** Connections are not shared, and dates belong to the server. */
const HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/

/** The destination of the requests of a sandbox. */
interface Destination {
  readonly servers: Pick<ApiServers, 'connect'>
  /** Requests reach the paths of this plane only. */
  readonly plane: string
  /** The address of the sandbox. */
  readonly sandbox: string
}

/** Passes a request of a sandbox to the API of its plane. */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { servers, plane, sandbox }: Destination,
): Promise<void> {
  const path = request.url ?? ''
  if (!isPlainPath(path)) return refuse(response, 400, 'the path has dot segments or no slash')
  const connected = await servers.connect()
  if (connected === null) return refuse(response, 503, 'no server of the API can be reached')
  const { url, socket } = connected
  // The sandbox has left meanwhile.
  if (response.destroyed) return void socket.destroy()
  response.once('close', () => socket.destroy())
  const outgoing = sendRequest({
    method: request.method,
    path: `/clusters/${encodeURIComponent(plane)}/control-plane${path}`,
    headers: {
      ...headersOf(request, (name) => FORWARDED.test(name)),
      Host: url.host,
      Connection: 'close',
      [SANDBOX_HEADER]: sandbox,
    },
    createConnection: () => socket,
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  const sent = pipeline(request, outgoing)
  sent.catch(() => undefined)
  const answer = await answered.catch(() => null)
  if (answer === null) return refuse(response, 502, 'the server has closed the connection')
  response.writeHead(
    answer.statusCode ?? 502,
    headersOf(answer, (name) => !HOP.test(name)),
  )
  response.flushHeaders()
  await pipeline(answer, response)
}

/** Proxies before the server may resolve dot segments. */
function isPlainPath(path: string): boolean {
  const [plain = ''] = path.split(/[?#]/)
  return plain.startsWith('/') && !/(^|\/|\\|%2f|%5c)(\.|%2e){1,2}($|\/|\\|%2f|%5c)/i.test(plain)
}

/** Repeated headers stay repeated, as the server rejects several tokens. */
function headersOf(
  { headersDistinct }: IncomingMessage,
  isWanted: (name: string) => boolean,
): Record<string, string[]> {
  const entries = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    isWanted(name) ? [[name, values] as const] : [],
  )
  return Object.fromEntries(entries)
}

function refuse(response: ServerResponse, code: number, message: string): void {
  if (response.headersSent) return void response.destroy()
  const text = `The runtime of this sandbox cannot forward the request: ${message}`
  response.writeHead(code, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: text, code }),
  )
}
