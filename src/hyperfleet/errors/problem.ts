import type { FlotillaError, Reason, Violation } from '../../lib/errors.ts'
import type { ErrorContext, ErrorResponse } from '../../http/errors/error-response.ts'
import { headersOf } from '../../http/errors/http-error.ts'
import { translateError } from '../../http/errors/translate-error.ts'
import { type CodeDefinition, CODES_OF_REASONS, ERROR_CODES, publicCode } from './error-codes.ts'

const TYPE_BASE = 'https://api.hyperfleet.io/errors/'

/** Maximum lengths in a response. They keep error responses to large requests small. */
const MAX_LENGTH = { detail: 4096, instance: 2048, field: 1024, message: 1024, value: 128 }

/** The default Retry-After in seconds. An error can set another value in its headers. */
const RETRY_AFTER: Partial<Record<Reason, string>> = { 'too-many-requests': '1', unavailable: '1' }

interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: string
  readonly timestamp: string
  readonly trace_id: string
  readonly errors?: readonly Violation[]
}

/** An error response as RFC 9457 defines it. */
export interface Problem extends ErrorResponse {
  readonly body: ProblemBody
}

/** The response to a request that failed with this error: a `RenderError`. */
export function problemOf(error: unknown, context: ErrorContext): Problem {
  const failure = translateError(error)
  const { code, status: ownStatus } = CODES_OF_REASONS[failure.reason]
  const definition: CodeDefinition = ERROR_CODES[code]
  const status = ownStatus ?? definition.status
  const { title, type } = definition.variants?.[status] ?? definition
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-ID': context.requestId,
    ...retryAfter(failure),
    ...headersOf(failure),
  }
  const body = {
    type: TYPE_BASE + type,
    title,
    status,
    detail: clip(failure.message, MAX_LENGTH.detail),
    instance: context.instance.slice(0, MAX_LENGTH.instance),
    code: publicCode(code),
    timestamp: context.now.toISOString(),
    trace_id: context.requestId,
    ...(failure.causes.length > 0 && { errors: failure.causes.map(shorten) }),
  }
  return { status, headers, body, code: body.code, level: definition.level, error: failure }
}

function retryAfter({ reason }: FlotillaError): Record<string, string> {
  const seconds = RETRY_AFTER[reason]
  return seconds === undefined ? {} : { 'Retry-After': seconds }
}

/** A violation with clipped texts, without a value that is an object or array. */
function shorten({ field, message, constraint, value, position, length }: Violation): Violation {
  return {
    field: clip(field, MAX_LENGTH.field),
    message: clip(message, MAX_LENGTH.message),
    ...(constraint !== undefined && { constraint: clip(constraint, MAX_LENGTH.value) }),
    ...(isScalar(value) && {
      value: typeof value === 'string' ? clip(value, MAX_LENGTH.value) : value,
    }),
    ...(position !== undefined && { position }),
    ...(length !== undefined && { length }),
  }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** At most `longest` UTF-16 units without lone surrogates, which some parsers reject. */
function clip(text: string, longest: number): string {
  const short = text.length > longest ? `${text.slice(0, longest - 1)}…` : text
  return short.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}
