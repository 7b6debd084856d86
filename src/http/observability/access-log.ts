import type { RequestHandler, Request, Response } from 'express'
import type { CompletedRequest } from './completed-request.ts'
import { recordRequest, type Recorder } from './record-request.ts'
import { failureOf } from '../errors/request-failure.ts'
import { requestIdOf } from '../requests/request-id.ts'
import { requestPath } from '../requests/request-path.ts'

const ROUTE = 'route'
const STREAMED = 'streamed'
const CLIENT_CLOSED_REQUEST = 499

interface Options extends Recorder {
  /** Who calls, for the log; null where that is not known. */
  readonly callerOf?: (response: Response) => string | null
}

/** Logs and counts every request when its connection is done with it, also where the client left. */
export function accessLog(options: Options): RequestHandler {
  return (request, response, next) => {
    const start = performance.now()
    response.once('close', () => {
      recordRequest(options, exchangeOf(request, response, start, options.callerOf))
    })
    next()
  }
}

/** Keeps the template of the route that the path belongs to, for the log and the metrics. */
export function setRoute(response: Response, template: string): void {
  response.locals[ROUTE] = template
}

/** The template of the route; null where no route has the path. */
export function routeOf(response: Response): string | null {
  const template: unknown = response.locals[ROUTE]
  return typeof template === 'string' ? template : null
}

/** Notes that the answer goes on for as long as the client listens: it is not timed. */
export function setStreamed(response: Response): void {
  response.locals[STREAMED] = true
}

function exchangeOf(
  request: Request,
  response: Response,
  start: number,
  callerOf: Options['callerOf'],
): CompletedRequest {
  return {
    requestId: requestIdOf(response),
    method: request.method,
    route: routeOf(response),
    path: requestPath(request.originalUrl),
    status: response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST,
    aborted: !response.writableFinished,
    streamed: response.locals[STREAMED] === true,
    seconds: (performance.now() - start) / 1000,
    caller: callerOf?.(response) ?? null,
    failure: failureOf(response),
  }
}
