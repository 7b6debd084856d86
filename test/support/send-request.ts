import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** A request as `fetch` takes it. */
export interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text has the type `text/plain` unless the headers have another one. */
  readonly body?: string | Uint8Array
}

/** A response with its whole body. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The headers that `fetch` adds. */
const HEADERS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
}

/**
 * Sends a request as `fetch` does, and returns the response with its whole body. `fetch` takes three
 * times the processor time. Redirects are not followed. Node's agent closes a connection that is idle for
 * five seconds, so no request meets a server that is closing it.
 */
export async function sendRequest(url: string, request: Request = {}): Promise<WholeResponse> {
  const response = await respond(new URL(url), request)
  const headers = headersOf(response)
  const bytes = await buffer(response)
  const isCompressed = headers.get('content-encoding') === 'gzip' && bytes.length > 0
  const body = isCompressed ? await promisify(gunzip)(bytes) : bytes
  // Like `fetch`, without a byte order mark.
  return { status: response.statusCode ?? 0, headers, text: new TextDecoder().decode(body) }
}

function respond(
  { hostname, port, pathname, search }: URL,
  { method = 'GET', headers = {}, body }: Request,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = { ...HEADERS, ...headersOfBody(body), ...lowerCase(headers) }
    const options = { hostname, port, path: pathname + search, method, headers: sent }
    const request = send(options, resolve)
    request.once('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    request.end(body)
  })
}

function headersOfBody(body: Request['body']): Record<string, string> {
  if (body === undefined) return {}
  return {
    ...(typeof body === 'string' && { 'content-type': 'text/plain;charset=UTF-8' }),
    'content-length': String(Buffer.byteLength(body)),
  }
}

/** A header of the caller replaces the one of `fetch` in any case. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return headers
}
