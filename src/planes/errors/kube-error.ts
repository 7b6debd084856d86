import { HttpError } from '../../http/errors/http-error.ts'
import type { Reason } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'

/** A cause in the details of a Status. */
export interface StatusCause extends JsonObject {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** The details of a Status. */
export interface StatusDetails extends JsonObject {
  readonly name?: string
  readonly group?: string
  /** The plural of the resource, or the kind for errors of validation. */
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

interface Options {
  /** The HTTP status. */
  readonly code: number
  /** The reason of the Status, such as `NotFound`. */
  readonly statusReason: string
  readonly details?: StatusDetails
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A failure with a specific Status. Other errors become a Status by their reason. */
export class KubeError extends HttpError {
  readonly code: number
  readonly statusReason: string
  readonly details: StatusDetails | null

  constructor(reason: Reason, message: string, options: Options) {
    super(reason, message, { cause: options.cause, headers: options.headers ?? {} })
    this.code = options.code
    this.statusReason = options.statusReason
    this.details = options.details ?? null
  }
}
