import { ApiError, type ApiErrorDetails } from './api-error.ts'
import {
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  PreconditionFailed,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from './status-errors.ts'

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  0: Unavailable,
  400: Invalid,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: PreconditionFailed,
  413: Invalid,
  415: Invalid,
  422: Invalid,
  429: TooManyRequests,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
}

/** Creates the error of the class for its status. */
export function createApiError(details: ApiErrorDetails, options?: ErrorOptions): ApiError {
  const Class = CLASSES[details.status] ?? ApiError
  return new Class(details, options)
}
