import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** At most so many violations of a request are kept; a longer list helps nobody. */
export const MAX_VIOLATIONS = 100

/** One violated rule of a request: `field` is a dotted path in the body or a parameter's name. */
export interface Violation {
  readonly field: string
  readonly message: string
  readonly constraint?: string
  readonly value?: unknown
  /** For `search`: 0-based offset and length of the offending piece, in UTF-16 units of the text as sent. */
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
  readonly violations?: readonly Violation[]
  /** Overrides the code's own HTTP status (VAL-006 is 400, 413 or 415). */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly missing?: MissingResource
}

/** The one expected failure: a code of the table, and what happened in words for the caller. */
export class FlotillaError extends Error {
  override readonly name = 'FlotillaError'
  readonly code: ErrorCode
  readonly status: number
  readonly violations: readonly Violation[]
  readonly headers: Readonly<Record<string, string>>
  /** Null unless the failure is that a resource with this id does not exist. */
  readonly missing: MissingResource | null

  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    this.status = options.status ?? ERROR_CODES[code].status
    this.violations = (options.violations ?? []).slice(0, MAX_VIOLATIONS)
    this.headers = options.headers ?? {}
    this.missing = options.missing ?? null
  }
}

/** A request that breaks rules: they are listed together, and the detail names each. */
export function invalid(violations: readonly Violation[]): FlotillaError {
  const kept = violations.slice(0, MAX_VIOLATIONS)
  const detail = kept.map((violation) => violation.message).join('; ')
  return new FlotillaError('VAL-000', detail, { violations: kept })
}

/** A resource that is not there, worded as HyperFleet words it. */
export function notFound(kind: string, id: string): FlotillaError {
  return new FlotillaError('NTF-001', `${kind} with id='${id}' not found`, {
    missing: { kind, id },
  })
}
