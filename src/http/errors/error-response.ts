import type { FlotillaError } from '../../lib/errors.ts'

/** The response to a request that failed, in the format of an API. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  /** The error's code as clients and the log show it. */
  readonly code: string
  /** Level of the log line of the request. */
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly error: FlotillaError
  /** Whether the `Warning` headers of the failed request are sent; they are removed by default. */
  readonly keepsWarnings?: boolean
}

/** The request that failed. */
export interface ErrorContext {
  /** The request's path without the query. */
  readonly instance: string
  readonly requestId: string
  readonly now: Date
}

/** Serializes an error in the format of an API. Unexpected errors become `internal`. */
export type RenderError = (error: unknown, context: ErrorContext) => ErrorResponse
