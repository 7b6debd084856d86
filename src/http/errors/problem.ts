import type { Request, Response } from 'express'
import {
  type CodeDefinition,
  ERROR_CODES,
  type ErrorCode,
  publicCode,
} from '../../lib/error-codes.ts'
import type { FlotillaError, Violation } from '../../lib/errors.ts'
import { setFailure } from './request-failure.ts'
import { requestIdOf } from '../server/request-id.ts'
import { requestPath } from '../server/request-path.ts'
import { translateError } from './translate-error.ts'
import { writeProblem } from './write-problem.ts'

const TYPE_BASE = 'https://api.hyperfleet.io/errors/'

/** Whatever a request carries, its refusal stays small. */
const LONGEST = { detail: 4096, instance: 2048, field: 1024, message: 1024, value: 128 }

/** Seconds after which a failure of these codes is worth another try, where the error says nothing. */
const RETRY_AFTER: Partial<Record<ErrorCode, string>> = { 'LMT-001': '1', 'SVC-001': '1' }

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

/** An answer that says what went wrong, as RFC 9457 has it. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ProblemBody
  /** What the caller's failure was translated to. */
  readonly error: FlotillaError
}

interface ProblemContext {
  /** The request's path without the query. */
  readonly instance: string
  readonly requestId: string
  readonly now: Date
}

/** The answer to a request that failed with this error. */
export function problemOf(error: unknown, context: ProblemContext): Problem {
  const failure = translateError(error)
  const { code, status, violations } = failure
  const definition: CodeDefinition = ERROR_CODES[code]
  const { title, type } = definition.variants?.[status] ?? definition
  const retryAfter = RETRY_AFTER[code]
  const body = {
    type: TYPE_BASE + type,
    title,
    status,
    detail: clip(failure.message, LONGEST.detail),
    instance: context.instance.slice(0, LONGEST.instance),
    code: publicCode(code),
    timestamp: context.now.toISOString(),
    trace_id: context.requestId,
    ...(violations.length > 0 && { errors: violations.map(shorten) }),
  }
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-ID': context.requestId,
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    ...failure.headers,
  }
  return { status, headers, body, error: failure }
}

interface Failure {
  readonly error: unknown
  readonly request: Request
  readonly response: Response
  readonly now: Date
}

/** Answers a request that failed, and keeps the failure for the log. */
export function sendProblem({ error, request, response, now }: Failure): void {
  const problem = problemOf(error, {
    instance: requestPath(request.originalUrl),
    requestId: requestIdOf(response),
    now,
  })
  setFailure(response, problem.error)
  // An answer that has begun can only be cut off, so that the client does not take it for whole.
  if (response.headersSent) response.destroy()
  else writeProblem(response, problem)
}

/** A violation with its texts clipped; a value that is an object or array is left out. */
function shorten({ field, message, constraint, value, position, length }: Violation): Violation {
  return {
    field: clip(field, LONGEST.field),
    message: clip(message, LONGEST.message),
    ...(constraint !== undefined && { constraint: clip(constraint, LONGEST.value) }),
    ...(isScalar(value) && {
      value: typeof value === 'string' ? clip(value, LONGEST.value) : value,
    }),
    ...(position !== undefined && { position }),
    ...(length !== undefined && { length }),
  }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** At most `longest` UTF-16 units, and none of them half a character: some parsers refuse those. */
function clip(text: string, longest: number): string {
  const short = text.length > longest ? `${text.slice(0, longest - 1)}…` : text
  return short.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}
