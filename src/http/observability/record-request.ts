import type { Logger } from 'pino'
import type { CompletedRequest } from './completed-request.ts'
import type { Metrics } from './metrics.ts'

const MAX_PATH_LENGTH = 2048

type Level = 'info' | 'warn' | 'error'

export interface Recorder {
  readonly log: Logger
  readonly metrics: Metrics
}

/** Logs and counts a request. The log line never contains a query, header or body. */
export function recordRequest({ log, metrics }: Recorder, exchange: CompletedRequest): void {
  metrics.observeRequest(exchange)
  const level = levelOf(exchange)
  const { failure } = exchange
  log[level](
    {
      request_id: exchange.requestId,
      ...(exchange.traceId !== null && { trace_id: exchange.traceId }),
      method: exchange.method,
      route: exchange.route,
      path: exchange.path.slice(0, MAX_PATH_LENGTH),
      status: exchange.status,
      duration_ms: Math.round(exchange.seconds * 1e6) / 1e3,
      ...(exchange.caller !== null && { user: exchange.caller }),
      ...(exchange.aborted && { aborted: true }),
      ...(failure && { code: failure.code }),
      ...(failure &&
        level !== 'info' && { detail: failure.error.message, err: describe(failure.error.cause) }),
    },
    'request',
  )
}

/** The log level of a request: `info`, or a higher level if its error has one. */
function levelOf({ failure, status }: CompletedRequest): Level {
  const level = failure ? failure.level : status >= 500 ? 'error' : 'info'
  return level === 'debug' ? 'info' : level
}

/** Formats an error for the log without the drivers' properties, some of which hold connections. */
function describe(error: unknown, depth = 0): object | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  const code: unknown = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    cause: describe(error.cause, depth + 1),
  }
}
