import type { ApiError } from '../errors/api-error.ts'

/** The error of a repeated request whose earlier attempt succeeded, although its response was lost. */
export class Repetition extends Error {
  override readonly cause: ApiError

  constructor(cause: ApiError) {
    super(`an earlier attempt succeeded: ${cause.message}`)
    this.cause = cause
  }
}
