import type { RequestHandler, Response } from 'express'
import { SettingError } from '../../lib/setting-error.ts'

const ANY = '*'
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
  'X-HyperFleet-Discarded',
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
 * Lets pages of these origins (`*`: of all) call the API, and answers their preflights, which
 * browsers send without a token. A page of another origin gets an answer that tells its browser
 * nothing, and so keeps it out. Pages may read `exposedHeaders` besides those of every answer. Throws where an entry could never equal an `Origin` header.
 */
export function cors(
  origins: readonly string[],
  exposedHeaders: readonly string[] = [],
): RequestHandler {
  const exposed = [...EXPOSED_HEADERS, ...exposedHeaders].join(', ')
  if (origins.length === 0) return (_request, _response, next) => next()
  for (const origin of origins) checkOrigin(origin)
  const allowed = new Set(origins)
  return (request, response, next) => {
    // Also without an Origin: a cache must not serve this answer to a page that sends one.
    response.vary('Origin')
    const { origin } = request.headers
    if (origin === undefined) return next()
    const isAllowed = allowed.has(ANY) || allowed.has(origin)
    if (isAllowed) response.set('Access-Control-Allow-Origin', allowed.has(ANY) ? ANY : origin)
    const asked = request.headers['access-control-request-method']
    if (request.method === 'OPTIONS' && asked !== undefined) {
      answerPreflight(response, isAllowed)
      return
    }
    if (isAllowed) response.set('Access-Control-Expose-Headers', exposed)
    next()
  }
}

function answerPreflight(response: Response, isAllowed: boolean): void {
  if (isAllowed) {
    response.set({
      'Access-Control-Allow-Methods': METHODS.join(', '),
      'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    })
  }
  response.status(204).end()
}

/** Browsers write origins in one way only; schemes other than HTTP's are taken as they stand. */
function checkOrigin(origin: string): void {
  if (origin === ANY || !/^https?:|\*/i.test(origin)) return
  const written = URL.canParse(origin) ? new URL(origin).origin : null
  if (written === origin && !origin.includes('*')) return
  const hint = written === null || origin.includes('*') ? 'https://ui.example.com' : written
  throw new SettingError(
    `CORS_ORIGINS: '${origin}' is not an origin: expected a form such as '${hint}'`,
  )
}
