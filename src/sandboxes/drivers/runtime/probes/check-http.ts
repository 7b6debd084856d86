import { setMaxListeners } from 'node:events'
import http from 'node:http'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { HttpCheck } from '../../generated/proto/snapshot_driver_pb.ts'
import type { Connect } from './connect.ts'

const HOST = '127.0.0.1'
const MAX_REDIRECTS = 10
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * The status of the answer to a GET request. As in Kubernetes, redirects within the sandbox are
 * followed, and one to another host is the answer.
 */
export async function httpStatus(
  connect: Connect,
  { port, path, headers, tls: isSecure }: HttpCheck,
  signal: AbortSignal,
): Promise<number> {
  const fields = { 'User-Agent': 'flotilla-probe', Accept: '*/*', ...headersOf(headers) }
  let url = new URL(`${isSecure ? 'https' : 'http'}://${HOST}:${port}`)
  let target = path
  // Each connection listens until it has closed.
  setMaxListeners(MAX_REDIRECTS * 5, signal)
  for (let followed = 0; followed <= MAX_REDIRECTS; followed += 1) {
    const { status, location } = await request(connect, { url, target, headers: fields, signal })
    if (location === null) return status
    const next = new URL(location, new URL(target, url))
    if (next.hostname !== HOST || DEFAULT_PORTS[next.protocol] === undefined) return status
    url = next
    target = `${next.pathname}${next.search}`
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`)
}

/** A repeated name has several values. */
function headersOf(headers: HttpCheck['headers']): Record<string, string[]> {
  const values: Record<string, string[]> = {}
  for (const { name, value } of headers) (values[name] ??= []).push(value)
  return values
}

interface Request {
  readonly url: URL
  readonly target: string
  readonly headers: http.OutgoingHttpHeaders
  readonly signal: AbortSignal
}

interface Answer {
  readonly status: number
  /** Null unless the answer is a redirect. */
  readonly location: string | null
}

async function request(connect: Connect, { url, target, headers, signal }: Request) {
  const { port, protocol, hostname: host } = url
  const plain = await connect(Number(port) || (DEFAULT_PORTS[protocol] ?? 0), signal)
  const stream =
    protocol === 'https:' ? tls.connect({ socket: plain, rejectUnauthorized: false }) : plain
  try {
    return await exchange(stream, { path: target, host, port, headers, signal })
  } finally {
    stream.destroy()
    plain.destroy()
  }
}

/** Sends the request and reads the head of the answer. */
function exchange(stream: Duplex, options: http.RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = http.request({ ...options, createConnection: () => stream })
    stream.on('error', reject)
    sent.on('error', reject)
    sent.on('response', ({ statusCode: status = 0, headers: { location = null } }) => {
      resolve({ status, location: REDIRECTS.has(status) ? location : null })
    })
    sent.end()
  })
}
