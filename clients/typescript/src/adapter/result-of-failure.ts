import { ApiError } from '../errors/api-error.ts'
import { backoff } from '../http/backoff.ts'
import type { AdapterResult } from './adapter-result.ts'

const FIRST_RETRY_FAILURES = 3

/** The result of a reconciliation that failed. */
export function resultOfFailure(error: unknown): AdapterResult {
  const message = error instanceof Error ? error.message : String(error)
  return {
    available: 'False',
    reason: 'ReconcileFailed',
    message: message.slice(0, 1000),
    applied: 'False',
    health: 'False',
    finalized: false,
  }
}

/** Milliseconds until a resource that failed a number of times in a row is repeated. */
export function retryDelay(failures: number, error: unknown): number {
  const retryAfter = error instanceof ApiError ? error.retryAfter : null
  return backoff({ failures: failures + FIRST_RETRY_FAILURES, retryAfter, random: Math.random() })
}
