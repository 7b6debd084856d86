/** How many violations of a request are kept at most. */
export const MAX_VIOLATIONS = 100

/** Why a request failed, in terms of the domain. Each API maps a reason to its own code and status. */
export type Reason =
  | 'invalid'
  | 'invalid-search'
  | 'unprocessable'
  | 'malformed'
  | 'request-timeout'
  | 'too-large'
  | 'headers-too-large'
  | 'unsupported-media-type'
  | 'expectation-failed'
  | 'unauthenticated'
  | 'invalid-token'
  | 'token-expired'
  | 'forbidden'
  | 'no-route'
  | 'method-not-allowed'
  | 'not-found'
  | 'already-exists'
  | 'conflict'
  | 'precondition-failed'
  | 'state-conflict'
  | 'expired'
  | 'too-many-requests'
  | 'internal'
  | 'unavailable'
  | 'timeout'

/** One violated rule of a request: `field` is a dotted path in the body or the name of a parameter. */
export interface Violation {
  readonly field: string
  readonly message: string
  readonly constraint?: string
  readonly value?: unknown
  /** For `search`: 0-based offset and length of the wrong part, in UTF-16 units of the text as sent. */
  readonly position?: number
  readonly length?: number
}

/** A resource that a path names and that does not exist. */
export interface MissingResource {
  readonly kind: string
  readonly id: string
}

interface ErrorOptions {
  readonly cause?: unknown
  readonly causes?: readonly Violation[]
  readonly missing?: MissingResource
}

/** The one class of expected failures: a reason, and a detail in words for the caller (`message`). */
export class FlotillaError extends Error {
  override readonly name: string = 'FlotillaError'
  readonly reason: Reason
  /** The violated rules of the request, if these are the reason. */
  readonly causes: readonly Violation[]
  /** Null unless the failure is that a resource with this id does not exist. */
  readonly missing: MissingResource | null

  constructor(reason: Reason, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.reason = reason
    this.causes = (options.causes ?? []).slice(0, MAX_VIOLATIONS)
    this.missing = options.missing ?? null
  }
}

/** The request breaks rules: the error lists all of them, and the detail names each. */
export function invalid(violations: readonly Violation[]): FlotillaError {
  const kept = violations.slice(0, MAX_VIOLATIONS)
  const detail = kept.map((violation) => violation.message).join('; ')
  return new FlotillaError('invalid', detail, { causes: kept })
}

/** The resource does not exist. */
export function notFound(kind: string, id: string): FlotillaError {
  return new FlotillaError('not-found', `${kind} with id='${id}' not found`, {
    missing: { kind, id },
  })
}
