import type { ErrorContext, ErrorResponse } from '../../http/errors/error-response.ts'
import { headersOf } from '../../http/errors/http-error.ts'
import { translateError } from '../../http/errors/translate-error.ts'
import type { FlotillaError, Reason } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { KubeError, type StatusDetails } from './kube-error.ts'

/** The code and reason of errors that carry no Status themselves. */
const BY_REASON: Readonly<Record<Reason, readonly [code: number, reason: string]>> = {
  invalid: [400, 'BadRequest'],
  'invalid-search': [400, 'BadRequest'],
  unprocessable: [422, 'Invalid'],
  malformed: [400, 'BadRequest'],
  'request-timeout': [408, 'Timeout'],
  'too-large': [413, 'RequestEntityTooLarge'],
  'headers-too-large': [431, 'BadRequest'],
  'unsupported-media-type': [415, 'UnsupportedMediaType'],
  'expectation-failed': [417, 'BadRequest'],
  unauthenticated: [401, 'Unauthorized'],
  'invalid-token': [401, 'Unauthorized'],
  'token-expired': [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  'limit-reached': [403, 'Forbidden'],
  misdirected: [421, 'MisdirectedRequest'],
  'no-route': [404, 'NotFound'],
  'method-not-allowed': [405, 'MethodNotAllowed'],
  'not-found': [404, 'NotFound'],
  'already-exists': [409, 'AlreadyExists'],
  conflict: [409, 'Conflict'],
  'precondition-failed': [412, 'Conflict'],
  'state-conflict': [409, 'Conflict'],
  expired: [410, 'Expired'],
  'too-many-requests': [429, 'TooManyRequests'],
  internal: [500, 'InternalError'],
  unavailable: [503, 'ServiceUnavailable'],
  timeout: [504, 'Timeout'],
}

const RETRY_AFTER_SECONDS = 1
const MAX_MESSAGE = 8192
const MAX_CAUSES = 100
const UNEXPECTED: ReadonlySet<Reason> = new Set(['internal', 'unavailable'])

/** A Status object that reports success. */
export function successStatus(details: StatusDetails): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details,
  }
}

/** The Status of an error. Unexpected errors become `InternalError` without their message. */
export function statusOf(
  error: FlotillaError,
): JsonObject & { readonly code: number; readonly reason: string } {
  const [code, reason] =
    error instanceof KubeError ? [error.code, error.statusReason] : BY_REASON[error.reason]
  const details = detailsOf(error, code)
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: clip(error.message),
    reason,
    ...(details && { details }),
    code,
  }
}

function detailsOf(error: FlotillaError, code: number): JsonObject | null {
  const own: StatusDetails = error instanceof KubeError ? (error.details ?? {}) : causesOf(error)
  const retry = code === 429 || code === 503 || code === 504
  const details = {
    ...(retry && {
      retryAfterSeconds: Number(headersOf(error)['Retry-After'] ?? RETRY_AFTER_SECONDS),
    }),
    ...own,
    ...(own.causes && { causes: own.causes.slice(0, MAX_CAUSES) }),
  }
  return Object.keys(details).length === 0 ? null : details
}

function causesOf({ causes }: FlotillaError): StatusDetails {
  if (causes.length === 0) return {}
  return { causes: causes.map(({ field, message }) => ({ field, message: clip(message) })) }
}

/** The response to a failed request as a Status: a `RenderError`. */
export function renderStatus(error: unknown, { requestId }: ErrorContext): ErrorResponse {
  const failure = translateError(error)
  const body = statusOf(failure)
  const { code, reason } = body
  return {
    status: code,
    headers: {
      'Content-Type': 'application/json',
      'X-Request-ID': requestId,
      'Cache-Control': 'no-cache, private',
      ...retryAfter(failure, code),
      ...headersOf(failure),
    },
    body,
    code: reason,
    level: UNEXPECTED.has(failure.reason) ? 'error' : 'info',
    error: failure,
    keepsWarnings: true,
  }
}

/** Clients in Go repeat a request whose response has the header. */
function retryAfter(failure: FlotillaError, code: number): Readonly<Record<string, string>> {
  const own = failure instanceof KubeError ? failure.details?.retryAfterSeconds : undefined
  const isBusy = code === 429 || code === 503
  const seconds = own ?? (isBusy ? RETRY_AFTER_SECONDS : null)
  return seconds === null ? {} : { 'Retry-After': String(seconds) }
}

function clip(text: string): string {
  const short = text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text
  return short.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}
