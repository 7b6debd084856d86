import { createApiError } from '../errors/create-api-error.ts'
import type { ApiError, FieldError } from '../errors/api-error.ts'
import { isObject, type UnknownObject } from './json.ts'
import { retryAfterOf } from './retry-after.ts'

/** Reads the error of a response: a problem, a Status object, or any other body. */
export function readError(response: Response, text: string): ApiError {
  const retryAfter = retryAfterOf(response.headers.get('retry-after'), Date.now())
  const requestId = response.headers.get('x-request-id')
  const content = readErrorBody(parse(text), response.status)
  const fallback = `the server responded ${response.status}`
  return createApiError({
    status: response.status,
    code: content.code ?? String(response.status),
    message: content.message ?? fallback,
    requestId: requestId ?? content.requestId,
    errors: content.errors,
    retryAfter,
  })
}

/** The error of an ERROR event, whose object is a problem or a Status object. */
export function readErrorObject(object: UnknownObject): ApiError {
  const status = object['status'] ?? object['code']
  const content = readErrorBody(object, 500)
  return createApiError({
    status: typeof status === 'number' ? status : Number(object['code'] ?? 500),
    code: content.code ?? 'Unknown',
    message: content.message ?? 'the server ended the stream with an error',
    requestId: content.requestId,
    errors: content.errors,
    retryAfter: null,
  })
}

interface ErrorBody {
  readonly code: string | null
  readonly message: string | null
  readonly requestId: string | null
  readonly errors: readonly FieldError[]
}

function readErrorBody(body: unknown, status: number): ErrorBody {
  if (!isObject(body)) return { code: null, message: null, requestId: null, errors: [] }
  return body['kind'] === 'Status' ? readStatus(body, status) : readProblem(body)
}

function readProblem(problem: UnknownObject): ErrorBody {
  const { code, detail, title, trace_id: requestId, errors } = problem
  return {
    code: textOf(code),
    message: textOf(detail) ?? textOf(title),
    requestId: textOf(requestId),
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
  }
}

function readStatus({ reason, message, details }: UnknownObject, status: number): ErrorBody {
  const causes = isObject(details) ? details['causes'] : null
  return {
    code: textOf(reason) ?? String(status),
    message: textOf(message),
    requestId: null,
    errors: Array.isArray(causes) ? causes.filter(isObject).map(causeError) : [],
  }
}

function causeError({ field, message, reason }: UnknownObject): FieldError {
  return {
    field: textOf(field) ?? '',
    message: textOf(message) ?? '',
    constraint: textOf(reason) ?? undefined,
  }
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && textOf(value['field']) !== null && textOf(value['message']) !== null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
