import type { RequestHandler, Response } from 'express'
import { ANY_ORIGIN, checkWebOrigin } from '../../lib/web-origin.ts'

const MAX_AGE_SECONDS = 600
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'x-request-id',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'last-event-id',
]
const EXPOSED_HEADERS = [
  'X-Request-ID',
  'Retry-After',
  'WWW-Authenticate',
  'Location',
  'ETag',
  'Allow',
  'Accept-Patch',
  'Idempotency-Replayed',
  'X-Resource-Version',
  'X-Write-Token',
  'Warning',
]

/**
 * Allows pages of the given origins to call the API; `*` allows all. Responds to their preflights,
 * which browsers send without a token. Pages may read `exposedHeaders` in addition to the standard
 * ones. Throws if an entry can never equal an `Origin` header.
 */
export function cors(
  origins: readonly string[],
  exposedHeaders: readonly string[] = [],
): RequestHandler {
  const exposed = [...EXPOSED_HEADERS, ...exposedHeaders].join(', ')
  if (origins.length === 0) return (_request, _response, next) => next()
  for (const origin of origins) checkWebOrigin('CORS_ORIGINS', origin)
  const allowed = new Set(origins)
  return (request, response, next) => {
    // Set even without an Origin, so that caches do not serve this response to a page that sends one.
    response.vary('Origin')
    const { origin } = request.headers
    if (origin === undefined) return next()
    const isAllowed = allowed.has(ANY_ORIGIN) || allowed.has(origin)
    if (isAllowed)
      response.set('Access-Control-Allow-Origin', allowed.has(ANY_ORIGIN) ? ANY_ORIGIN : origin)
    const requestedMethod = request.headers['access-control-request-method']
    if (request.method === 'OPTIONS' && requestedMethod !== undefined) {
      respondToPreflight(response, isAllowed)
      return
    }
    if (isAllowed) response.set('Access-Control-Expose-Headers', exposed)
    next()
  }
}

/** The same for origins that can change while the server runs. */
export function liveCors(
  origins: () => readonly string[],
  exposedHeaders: readonly string[],
): RequestHandler {
  let current = origins()
  let handler = cors(current, exposedHeaders)
  return (request, response, next) => {
    if (origins() !== current) {
      current = origins()
      handler = cors(current, exposedHeaders)
    }
    void handler(request, response, next)
  }
}

function respondToPreflight(response: Response, isAllowed: boolean): void {
  if (isAllowed) {
    response.set({
      'Access-Control-Allow-Methods': METHODS.join(', '),
      'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    })
  }
  response.status(204).end()
}
