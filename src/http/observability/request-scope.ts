import type { RequestHandler, Response } from 'express'
import { runInContext } from '../../lib/tracing/request-context.ts'
import { OTHER_ERROR, type Span, type TraceContext, type Tracer } from '../../lib/tracing/span.ts'
import { readTraceContext } from '../../lib/tracing/trace-context.ts'
import { failureOf } from '../errors/request-failure.ts'
import { requestIdOf } from '../requests/request-id.ts'
import { requestPath } from '../requests/request-path.ts'
import { onStreamed, routeOf, setTraceId } from './access-log.ts'

/** The observers of requests that need to know which request a statement belongs to. */
export interface RequestScope {
  /** Null if requests are not traced. */
  readonly tracer: Tracer | null
  /** Whether statements are logged with their requests. Read for each request. */
  readonly isRecorded: () => boolean
}

/**
 * Runs the later stages of a request in its context, if traces or the slow-query log need one. The
 * trace of the caller's `traceparent` continues in the log, even if the server does not trace.
 */
export function requestScope({ tracer, isRecorded }: RequestScope): RequestHandler {
  return (request, response, next) => {
    const { traceparent, tracestate } = request.headers
    const parent =
      typeof traceparent === 'string' ? readTraceContext(traceparent, textOf(tracestate)) : null
    const span = tracer && startSpan(tracer, parent, response)
    const { traceId } = span?.context ?? parent ?? { traceId: null }
    if (traceId !== null) setTraceId(response, traceId)
    if (span === null && !isRecorded()) {
      next()
      return
    }
    const facts = { id: requestIdOf(response), traceId, user: null, search: null }
    if (span !== null) {
      const finish = (): void => finishSpan(span, facts, response)
      response.once('close', finish)
      // The length of a stream depends only on its client.
      onStreamed(response, finish)
    }
    runInContext({ requests: [facts], span }, next)
  }
}

function startSpan(tracer: Tracer, parent: TraceContext | null, response: Response): Span {
  const { req: request } = response
  return tracer.start(request.method, parent, {
    kind: 'server',
    attributes: {
      'http.request.method': request.method,
      'url.path': requestPath(request.originalUrl),
      'flotilla.request_id': requestIdOf(response),
    },
  })
}

function finishSpan(
  span: Span,
  { user }: { readonly user: string | null },
  response: Response,
): void {
  const route = routeOf(response)
  const failure = failureOf(response)
  span.rename(`${response.req.method} ${route ?? 'unmatched'}`)
  span.set({
    ...(route !== null && { 'http.route': route }),
    ...(response.headersSent && { 'http.response.status_code': response.statusCode }),
    ...(user !== null && { 'user.name': user }),
  })
  span.end(response.statusCode >= 500 ? (failure?.code ?? OTHER_ERROR) : undefined)
}

/** Node joins repeated lines, but its types allow a list. */
function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
