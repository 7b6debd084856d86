import { sendRaw } from '../../src/http/server/fixtures.ts'

/** A request as bytes, which may be one that no HTTP library sends. */
export interface RawRequest {
  readonly method?: string
  /** The request target; the list of clusters by default. */
  readonly target?: string
  readonly version?: '1.0' | '1.1'
  /** Header lines. The request has no others, except `Connection` and `Content-Length`. */
  readonly lines: readonly string[]
  readonly body?: string
}

interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const CLUSTERS = '/api/hyperfleet/v1/clusters'

/** Sends a request over its own connection. */
export async function sendLines(port: number, request: RawRequest): Promise<RawResponse> {
  const { method = 'GET', target = CLUSTERS, version = '1.1', lines, body } = request
  const isChunked = lines.some((line) => /^transfer-encoding:/i.test(line))
  const isUpgrade = lines.some((line) => /^upgrade:/i.test(line))
  const head = [
    `${method} ${target} HTTP/${version}`,
    ...lines,
    `Connection: ${isUpgrade ? 'Upgrade, close' : 'close'}`,
    ...(body === undefined || isChunked ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return parse(await sendRaw(port, `${head.join('\r\n')}\r\n\r\n${body ?? ''}`))
}

function parse(raw: string): RawResponse {
  const end = raw.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = raw.slice(0, end).split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const status = Number(statusLine.split(' ')[1])
  return { status, headers: new Headers(pairs), text: raw.slice(end + 4) }
}

export function portOf(origin: string): number {
  return Number(new URL(origin).port)
}
