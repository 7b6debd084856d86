/** Maximum number of violations that an error lists. */
export const MAX_VIOLATIONS = 100

/** Why a request failed. Each API maps the reason to its own code and status. */
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
  | 'limit-reached'
  | 'misdirected'
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
  /** For `search`: 0-based offset and length of the error, in UTF-16 units of the text as sent. */
  readonly position?: number
  readonly length?: number
}

/** A resource that was requested but does not exist. */
export interface MissingResource {
  readonly kind: string
  readonly id: string
}

interface ErrorOptions {
  readonly cause?: unknown
  readonly causes?: readonly Violation[]
  readonly missing?: MissingResource
}

/** The class of all expected failures: a reason, and a `message` for the caller. */
export class FlotillaError extends Error {
  override readonly name: string = 'FlotillaError'
  readonly reason: Reason
  /** The rules that the request violates, if the reason is such a violation. */
  readonly causes: readonly Violation[]
  /** The resource that does not exist; null if the failure has another reason. */
  readonly missing: MissingResource | null

  constructor(reason: Reason, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.reason = reason
    this.causes = (options.causes ?? []).slice(0, MAX_VIOLATIONS)
    this.missing = options.missing ?? null
  }
}

/** The error of a request that violates rules. It lists the violations, and its message names each. */
export function invalid(violations: readonly Violation[]): FlotillaError {
  const kept = violations.slice(0, MAX_VIOLATIONS)
  const detail = kept.map((violation) => violation.message).join('; ')
  return new FlotillaError('invalid', detail, { causes: kept })
}

/** The error of a request for a resource that does not exist. */
export function notFound(kind: string, id: string): FlotillaError {
  return new FlotillaError('not-found', `${kind} with id='${id}' not found`, {
    missing: { kind, id },
  })
}
