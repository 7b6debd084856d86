import type { Response } from 'express'
import { FlotillaError } from '../../lib/errors.ts'

const FAILURE = 'failure'

/** Keeps why the request failed, for the log. */
export function setFailure(response: Response, error: FlotillaError): void {
  response.locals[FAILURE] = error
}

/** Why the request failed; null where it did not. */
export function failureOf(response: Response): FlotillaError | null {
  const error: unknown = response.locals[FAILURE]
  return error instanceof FlotillaError ? error : null
}
