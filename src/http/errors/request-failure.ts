import type { Response } from 'express'
import type { ErrorResponse } from './error-response.ts'

const FAILURE = 'failure'

/** Why a request failed, for the log. */
export type Failure = Pick<ErrorResponse, 'error' | 'code' | 'level'>

/** Stores the failure of a request for the log. */
export function setFailure(response: Response, { error, code, level }: Failure): void {
  response.locals[FAILURE] = { error, code, level } satisfies Failure
}

/** The failure of the request; null if it succeeded. */
export function failureOf(response: Response): Failure | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only setFailure writes it
  return (response.locals[FAILURE] as Failure | undefined) ?? null
}
