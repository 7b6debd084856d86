import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { systemClock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { trackConnections } from './open-connections.ts'
import { problemOf } from '../errors/problem.ts'
import { refuseBrokenRequests } from './refuse-connection.ts'
import { chooseRequestId } from './request-id.ts'
import { requestPath } from './request-path.ts'
import { writeProblem } from '../errors/write-problem.ts'

interface Page {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Pages by path, made anew for every request. */
type Pages = ReadonlyMap<string, () => Promise<Page>>

/** A server without Express for a few pages that answer GET and HEAD: probes and metrics. */
export function createBareServer(pages: Pages): Server {
  const server = createServer((request, response) => {
    void answer(pages, request, response)
  })
  trackConnections(server)
  refuseBrokenRequests(server, { clock: systemClock, onRefused: () => undefined })
  return server
}

/** Never rejects: whatever fails is answered as a problem. */
async function answer(
  pages: Pages,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = chooseRequestId(request.headers['x-request-id'])
  const path = requestPath(request.url ?? '/')
  try {
    const { status, contentType, text } = await makePage(pages, request.method ?? '', path)
    response.writeHead(status, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Request-ID': requestId,
    })
    response.end(text)
  } catch (error) {
    writeProblem(response, problemOf(error, { instance: path, requestId, now: systemClock() }))
  }
}

function makePage(pages: Pages, method: string, path: string): Promise<Page> {
  const page = pages.get(path)
  if (!page) throw new FlotillaError('NTF-000', `There is no ${path} here`)
  if (method === 'GET' || method === 'HEAD') return page()
  const headers = { Allow: 'GET, HEAD' }
  throw new FlotillaError('NTF-000', `${path} answers GET and HEAD only`, { status: 405, headers })
}
