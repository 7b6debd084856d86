import { FlotillaError, type Violation } from '../../../lib/errors.ts'
import type { TreeOutcome } from '../../../store/operations/bulk/tree-creation.ts'

/** The error of one item of a bulk request. Its violations name the field in the request's body. */
export function itemError(index: number, error: FlotillaError): FlotillaError {
  return new FlotillaError(error.reason, error.message, {
    cause: error,
    causes: violationsOf(index, error),
  })
}

/**
 * The error of an atomic request: the reason of the first failed item, and the violations of all of
 * them. Null if no item failed.
 */
export function atomicError(outcomes: readonly TreeOutcome[]): FlotillaError | null {
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.status === 'failed' ? { index, error: outcome.error } : [],
  )
  const [first] = failures
  if (first === undefined) return null
  const count = `${failures.length} of ${outcomes.length} items`
  const detail = `Nothing was written, because ${count} failed; items[${first.index}]: ${first.error.message}`
  return new FlotillaError(first.error.reason, detail, {
    cause: first.error,
    causes: failures.flatMap(({ index, error }) => violationsOf(index, error)),
  })
}

function violationsOf(
  index: number,
  { reason, message, causes }: FlotillaError,
): readonly Violation[] {
  const item = `items[${index}]`
  if (reason === 'already-exists') {
    return [{ field: `${item}.name`, message: `${item}.name: ${message}`, constraint: 'unique' }]
  }
  if (causes.length === 0) {
    return [{ field: item, message: `${item}: ${message}`, constraint: reason }]
  }
  // The message of a violation starts with its field.
  return causes.map((cause) => ({
    ...cause,
    field: `${item}.${cause.field}`,
    message: `${item}.${cause.message}`,
  }))
}
