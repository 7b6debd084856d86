import type { Failure } from '../errors/request-failure.ts'

/** A request and how it was answered, once that is over. */
export interface CompletedRequest {
  readonly requestId: string
  readonly method: string
  /** Null where no route has the path. */
  readonly route: string | null
  /** Without the query. */
  readonly path: string
  /** 499 where the client went away before the answer began. */
  readonly status: number
  /** The client went away before the answer ended. */
  readonly aborted: boolean
  /** The answer went on for as long as the client listened: its time says nothing of the server. */
  readonly streamed: boolean
  readonly seconds: number
  /** Who called, where that is known. */
  readonly caller: string | null
  readonly failure: Failure | null
}
