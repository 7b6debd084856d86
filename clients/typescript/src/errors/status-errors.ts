import { ApiError } from './api-error.ts'

/** 404: the resource, its parent or the path does not exist. */
export class NotFound extends ApiError {
  override readonly name = 'NotFound'
}

/** 409: the name is taken, or the state of the resource does not allow the request. */
export class Conflict extends ApiError {
  override readonly name = 'Conflict'
}

/** 412: the resource has changed since the version in `ifMatch`. */
export class PreconditionFailed extends ApiError {
  override readonly name = 'PreconditionFailed'
}

/** 400, 413, 415, 422: the request is invalid; `errors` lists the violations. */
export class Invalid extends ApiError {
  override readonly name = 'Invalid'
}

/** 401: the token is missing, expired or revoked. */
export class Unauthorized extends ApiError {
  override readonly name = 'Unauthorized'
}

/** 403: the caller lacks permission. */
export class Forbidden extends ApiError {
  override readonly name = 'Forbidden'
}

/** 429: the server rejected the request without processing it. */
export class TooManyRequests extends ApiError {
  override readonly name = 'TooManyRequests'
}

/** 502, 503, 504, or no response: the server could not be reached or could not respond in time. */
export class Unavailable extends ApiError {
  override readonly name = 'Unavailable'
}
