import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { systemClock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { trackConnections } from './open-connections.ts'
import type { RenderError } from '../errors/error-response.ts'
import { HttpError } from '../errors/http-error.ts'
import { rejectBrokenRequests } from './reject-connection.ts'
import { chooseRequestId } from '../requests/request-id.ts'
import { requestPath } from '../requests/request-path.ts'
import { writeError } from '../errors/write-error.ts'

interface Page {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Creates a page for a query. */
export type CreatePage = (query: URLSearchParams) => Promise<Page>

/** Functions that create a page, by path. A map is one. */
interface Pages {
  get(path: string): CreatePage | undefined
}

interface Options {
  readonly renderError: RenderError
  /** Throws if the request must be rejected. */
  readonly check?: (request: IncomingMessage) => unknown
}

/** Creates a server without Express for pages that accept GET and HEAD: probes and metrics. */
export function createBareServer(pages: Pages, options: Options): Server {
  const { renderError } = options
  const server = createServer((request, response) => {
    void respond({ pages, ...options }, request, response)
  })
  trackConnections(server)
  rejectBrokenRequests(server, {
    clock: systemClock,
    renderError,
    onRejected: () => undefined,
  })
  return server
}

interface Responder extends Options {
  readonly pages: Pages
}

/** Never rejects: every failure becomes an error response. */
async function respond(
  { pages, renderError, check }: Responder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = chooseRequestId(request.headers['x-request-id'])
  const path = requestPath(request.url ?? '/')
  try {
    check?.(request)
    const { status, contentType, text } = await makePage(pages, request, path)
    response.writeHead(status, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Request-ID': requestId,
    })
    response.end(text)
  } catch (error) {
    writeError(response, renderError(error, { instance: path, requestId, now: systemClock() }))
  }
}

function makePage(
  pages: Pages,
  { method, url = '' }: IncomingMessage,
  path: string,
): Promise<Page> {
  const page = pages.get(path)
  if (!page) throw new FlotillaError('no-route', `No page has the path ${path}`)
  if (method === 'GET' || method === 'HEAD')
    return page(new URLSearchParams(url.split('?')[1] ?? ''))
  const headers = { Allow: 'GET, HEAD' }
  throw new HttpError('method-not-allowed', `${path} accepts GET and HEAD only`, { headers })
}
