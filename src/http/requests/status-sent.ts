import type { Response } from 'express'

/** The client disconnected before the response started: a convention of nginx. */
const CLIENT_CLOSED_REQUEST = 499

/** The status of a closed response; 499 if it never started. */
export function statusSent(response: Response): number {
  return response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST
}
