import type { Failure } from '../errors/request-failure.ts'

/** A request whose response has ended. */
export interface CompletedRequest {
  readonly requestId: string
  /** The id of its trace; null if neither its client nor the server traces it. */
  readonly traceId: string | null
  readonly method: string
  /** The template of the route; null if no route has the path. */
  readonly route: string | null
  /** Without the query. */
  readonly path: string
  /** 499 if the client disconnected before the response started. */
  readonly status: number
  /** Whether the client disconnected before the response ended. */
  readonly aborted: boolean
  /** Whether the response was a stream, whose duration depends only on the client. */
  readonly streamed: boolean
  readonly seconds: number
  /** The caller's name; null if unknown. */
  readonly caller: string | null
  readonly failure: Failure | null
}

/** A request that the server rejected before the application received it. */
export function rejectedRequest(
  request: Pick<CompletedRequest, 'requestId' | 'method' | 'path' | 'status'> & {
    readonly failure: Failure
  },
): CompletedRequest {
  return {
    ...request,
    traceId: null,
    route: null,
    aborted: false,
    streamed: false,
    seconds: 0,
    caller: null,
  }
}
