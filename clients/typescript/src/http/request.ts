import type { ApiError } from '../errors/api-error.ts'

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until an attempt fails; by default the timeout of the client. */
  readonly timeout?: number | undefined
}

export type QueryValue = string | number | boolean | readonly string[] | undefined

/** A request to the server. */
export interface ApiRequest extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path from the root of the server. */
  readonly path: string
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /**
   * When to repeat the request after a failure: `always` if a second execution does no harm,
   * `rejected` if only after the server rejected it without processing it.
   */
  readonly retry: 'always' | 'rejected'
  /** Called when the server has accepted the request of a stream. */
  readonly onOpen?: (() => void) | undefined
  /**
   * Whether the error of a repeated request shows that an earlier attempt succeeded although its
   * response was lost. The call then rejects with a `Repetition`.
   */
  readonly isRepetition?: ((error: ApiError) => boolean) | undefined
}

/** A successful response. */
export interface ApiResponse<T> {
  readonly status: number
  readonly headers: Headers
  /** The parsed body; undefined if it was empty. */
  readonly body: T
}
