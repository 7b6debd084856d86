import { ApiError } from '../errors/api-error.ts'

const TRANSIENT = [0, 408, 429, 502, 503, 504]

/** Whether a failure may pass: the server was unreachable, busy or restarting. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && TRANSIENT.includes(error.status)
}
