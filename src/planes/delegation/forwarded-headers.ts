import type { IncomingHttpHeaders } from 'node:http'
import type { UserInfo } from '../model/user-info.ts'

type Headers = Record<string, string | string[]>

/**
 * The headers of a request that the other server receives. All others are dropped: credentials,
 * identities and addresses that a client or gateway has set, and headers of the connection.
 */
const REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'audit-id',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'if-match',
  'if-none-match',
  'kubectl-command',
  'kubectl-session',
  'range',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-request-id',
] as const

/**
 * Headers of a response that concern the connection, or that browsers would apply to this origin:
 * cookies, stored data, and policies.
 */
const DROPPED_FROM_RESPONSE: ReadonlySet<string> = new Set([
  'accept-ch',
  'alt-svc',
  'clear-site-data',
  'connection',
  'keep-alive',
  'link',
  'nel',
  'origin-agent-cluster',
  'proxy-authenticate',
  'proxy-connection',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'sourcemap',
  'speculation-rules',
  'strict-transport-security',
  'te',
  'timing-allow-origin',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  'x-content-type-options',
  'x-request-id',
  'x-xss-protection',
])

const DROPPED_PATTERN = /^access-control-|^cross-origin-|^x-frame-|polic(y|ies)/

/** Browsers that show a response of another server give it no access to this origin. */
const ISOLATION = { 'Content-Security-Policy': 'sandbox', 'X-Content-Type-Options': 'nosniff' }

/** The headers of a request to another server, with the identity of the user. */
export function forwardedHeaders(incoming: IncomingHttpHeaders, user: UserInfo): Headers {
  const headers: Headers = {}
  for (const name of REQUEST_HEADERS) {
    const value = incoming[name]
    if (value !== undefined) headers[name] = value
  }
  return { ...headers, ...identityHeaders(user) }
}

/** The identity of a user in the headers that aggregated servers read. */
export function identityHeaders({ name, uid, groups, extra }: UserInfo): Headers {
  const headers: Headers = { 'X-Remote-User': headerText(name) }
  if (uid !== '') headers['X-Remote-Uid'] = headerText(uid)
  if (groups.length > 0) headers['X-Remote-Group'] = groups.map(headerText)
  for (const [key, values] of Object.entries(extra)) {
    headers[`X-Remote-Extra-${escapedKey(key)}`] = values.map(headerText)
  }
  return headers
}

/** UTF-8 bytes as characters, as Node sends them. Control characters cannot be in a header. */
function headerText(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('the identity of the user has control characters')
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Percent-encodes all characters that the name of a header cannot have. */
function escapedKey(key: string): string {
  return [...Buffer.from(key.toLowerCase(), 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[a-z0-9!#$&'*+.^_`|~-]/.test(character)
        ? character
        : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
    })
    .join('')
}

/** The headers of another server's response that the client receives. */
export function returnedHeaders(headers: IncomingHttpHeaders): Headers {
  const ofConnection = new Set(
    (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  )
  const kept: Headers = {}
  for (const [name, value] of Object.entries(headers)) {
    const isDropped =
      DROPPED_FROM_RESPONSE.has(name) || ofConnection.has(name) || DROPPED_PATTERN.test(name)
    if (!isDropped && value !== undefined) kept[name] = value
  }
  return { ...kept, ...ISOLATION }
}
