import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { FlotillaError } from '../../lib/errors.ts'
import { HttpError } from '../errors/http-error.ts'
import { hasBrowserHeaders } from '../requests/browser-headers.ts'
import { collectBody } from './collect-body.ts'
import { isAccepted, parseMediaType } from './media-type.ts'

interface BodyOptions {
  /** Maximum size in bytes. */
  readonly limit: number
  /** Accepted content types. A body without one counts as JSON, unless a browser sent it. */
  readonly accepts: readonly string[]
}

export interface Body {
  /** The content type; `application/json` if the request names none. */
  readonly type: string
  readonly text: string
}

/**
 * Reads the body as text. Throws, in this order of precedence: `malformed` if it is missing,
 * `unsupported-media-type`, `too-large`, and `malformed` if it is not UTF-8.
 */
export async function readBody(request: IncomingMessage, options: BodyOptions): Promise<Body> {
  const declared = declaredLength(request)
  if (declared === 0) throw bodyMissing()
  const check = (received: number): FlotillaError | null =>
    checkHeaders(request, options.accepts) ?? checkLength(received, options.limit)
  const error = declared === null ? null : check(declared)
  if (error) throw error
  const bytes = await collectBody(request, check)
  if (bytes.length === 0) throw bodyMissing()
  if (!isUtf8(bytes)) throw new FlotillaError('malformed', 'The request body is not valid UTF-8')
  const { type } = parseMediaType(request.headers['content-type'] ?? '')
  return { type: type === '' ? 'application/json' : type, text: bytes.toString('utf8') }
}

/** The length in bytes; null if the body is chunked. */
function declaredLength({ headers }: IncomingMessage): number | null {
  if (headers['transfer-encoding'] !== undefined) return null
  return Number(headers['content-length'] ?? 0)
}

function checkHeaders(request: IncomingMessage, accepts: readonly string[]): FlotillaError | null {
  const { method, headers } = request
  const { type, charset } = parseMediaType(headers['content-type'] ?? '')
  // A page can send a body without a type to another origin without asking.
  if (type === '' && hasBrowserHeaders(request)) {
    return unsupported(`The Content-Type is missing: browsers must send ${accepts.join(' or ')}`)
  }
  if (type !== '' && !isAccepted(type, accepts)) {
    return unsupported(
      `The Content-Type '${type}' is not supported: send ${accepts.join(' or ')}`,
      method === 'PATCH' ? { 'Accept-Patch': accepts.join(', ') } : {},
    )
  }
  if (charset !== null && charset !== 'utf-8' && charset !== 'utf8') {
    return unsupported(`The charset '${charset}' is not supported: send utf-8`)
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    const detail = `The Content-Encoding '${encoding}' is not supported: send the body as it is`
    return unsupported(detail, { 'Accept-Encoding': 'identity' })
  }
  return null
}

function unsupported(detail: string, headers: Record<string, string> = {}): FlotillaError {
  return new HttpError('unsupported-media-type', detail, { headers })
}

function checkLength(length: number, limit: number): FlotillaError | null {
  if (length <= limit) return null
  const detail = `The request body is over the limit of ${limit} bytes`
  return new FlotillaError('too-large', detail)
}

function bodyMissing(): FlotillaError {
  return new FlotillaError('malformed', 'Request body is required')
}
