/** A violation that an error lists, such as an invalid field. */
export interface FieldError {
  /** A path in the body or the name of a parameter. */
  readonly field: string
  readonly message: string
  readonly constraint?: string | undefined
  readonly value?: unknown
  /** For `search`: offset of the wrong text from 0, in UTF-16 units. */
  readonly position?: number | undefined
  /** For `search`: length of the wrong text. */
  readonly length?: number | undefined
}

/** The content of an {@link ApiError}. */
export interface ApiErrorDetails {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId: string | null
  readonly errors: readonly FieldError[]
  /** Milliseconds to wait before the next attempt, from `Retry-After`. */
  readonly retryAfter: number | null
}

/**
 * A request failed. Both formats of the server become this error: problems of the HyperFleet API
 * and Status objects of planes. Its subclasses are named for the failure.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /**
   * The code of the problem, such as `HYPERFLEET-NTF-001`, or the reason of the Status object, such
   * as `NotFound`. Without a response: `NoResponse`, `Timeout` or `ConnectionLost`.
   */
  readonly code: string
  /** The ID of the request in the server's log; null if there was no response. */
  readonly requestId: string | null
  /** The violations of the request. */
  readonly errors: readonly FieldError[]
  /** Milliseconds until a retry makes sense, if the server sent `Retry-After`. */
  readonly retryAfter: number | null

  constructor(details: ApiErrorDetails, options?: ErrorOptions) {
    super(details.message, options)
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.errors = details.errors
    this.retryAfter = details.retryAfter
  }
}
