import type { RequestHandler, Response } from 'express'
import type { CompletedRequest } from './completed-request.ts'
import { recordRequest, type Recorder } from './record-request.ts'
import { failureOf } from '../errors/request-failure.ts'
import { requestIdOf } from '../requests/request-id.ts'
import { requestPath } from '../requests/request-path.ts'
import { statusSent } from '../requests/status-sent.ts'

const ROUTE = 'route'
const STREAMED = 'streamed'
const ON_STREAMED = 'onStreamed'
const TRACE_ID = 'traceId'

interface Options extends Recorder {
  /** The caller's name for the log; null if unknown. */
  readonly callerOf?: (response: Response) => string | null
}

/** Logs and counts every request when its response is closed, even if the client disconnected. */
export function accessLog(options: Options): RequestHandler {
  return (_request, response, next) => {
    const start = performance.now()
    response.on('close', () => {
      recordRequest(options, exchangeOf(response, start, options.callerOf))
    })
    next()
  }
}

/** Stores the template of the request's route for the log and the metrics; null without a route. */
export function setRoute(response: Response, template: string | null): void {
  response.locals[ROUTE] = template
}

/** The template of the request's route; null if no route has the path. */
export function routeOf(response: Response): string | null {
  const template: unknown = response.locals[ROUTE]
  return typeof template === 'string' ? template : null
}

/** Marks the response as a stream, whose duration is not measured. */
export function setStreamed(response: Response): void {
  response.locals[STREAMED] = true
  for (const callback of streamCallbacks(response)) callback()
}

/** Calls back when the response becomes a stream. */
export function onStreamed(response: Response, callback: () => void): void {
  response.locals[ON_STREAMED] = [...streamCallbacks(response), callback]
}

function streamCallbacks(response: Response): readonly (() => void)[] {
  const callbacks: readonly (() => void)[] | undefined = response.locals[ON_STREAMED]
  return callbacks ?? []
}

/** Stores the id of the request's trace for the log. */
export function setTraceId(response: Response, id: string): void {
  response.locals[TRACE_ID] = id
}

function traceIdOf(response: Response): string | null {
  const id: unknown = response.locals[TRACE_ID]
  return typeof id === 'string' ? id : null
}

function exchangeOf(
  response: Response,
  start: number,
  callerOf: Options['callerOf'],
): CompletedRequest {
  const { req: request } = response
  return {
    requestId: requestIdOf(response),
    traceId: traceIdOf(response),
    method: request.method,
    route: routeOf(response),
    path: requestPath(request.originalUrl),
    status: statusSent(response),
    aborted: !response.writableFinished,
    streamed: response.locals[STREAMED] === true,
    seconds: (performance.now() - start) / 1000,
    caller: callerOf?.(response) ?? null,
    failure: failureOf(response),
  }
}
