import { HttpError } from '../errors/http-error.ts'

const CHALLENGE = 'Bearer realm="hyperfleet"'

/** What RFC 6750 does not allow in `error_description`, the quotes of the header included. */
const NOT_DESCRIBABLE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g
const LONGEST_DESCRIPTION = 300

/** The request has no token: RFC 6750 asks for a challenge without an error. */
export function tokenMissing(): HttpError {
  return new HttpError(
    'unauthenticated',
    "Authentication is required: send the header 'Authorization: Bearer <token>'",
    { headers: { 'WWW-Authenticate': CHALLENGE } },
  )
}

/** The token is not one that this server accepts; `detail` says what is wrong with it. */
export function tokenRefused(detail: string, cause?: Error): HttpError {
  return new HttpError('invalid-token', detail, { cause, headers: invalidToken(detail) })
}

/** The token was good once. */
export function tokenExpired(cause: Error): HttpError {
  const detail = 'The token has expired: request a new one'
  return new HttpError('token-expired', detail, { cause, headers: invalidToken(detail) })
}

function invalidToken(detail: string): Record<string, string> {
  const description = detail.slice(0, LONGEST_DESCRIPTION).replaceAll(NOT_DESCRIBABLE, '?')
  return {
    'WWW-Authenticate': `${CHALLENGE}, error="invalid_token", error_description="${description}"`,
  }
}

/** The gateway says who calls, in a way that cannot be used. */
export function identityMissing(detail: string): HttpError {
  return new HttpError('unauthenticated', detail, { headers: { 'WWW-Authenticate': CHALLENGE } })
}
