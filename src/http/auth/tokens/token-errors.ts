import { REALM } from '../../../access/principal.ts'
import { HttpError } from '../../errors/http-error.ts'

const CHALLENGE = `Bearer realm="${REALM}"`

/** Characters that RFC 6750 does not allow in `error_description`. */
const FORBIDDEN_CHARACTERS = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g
const MAX_DESCRIPTION_LENGTH = 300

/** The request has no token. RFC 6750 requires a challenge without an error. */
export function missingToken(): HttpError {
  return new HttpError(
    'unauthenticated',
    "Authentication is required: send the header 'Authorization: Bearer <token>'",
    { headers: { 'WWW-Authenticate': CHALLENGE } },
  )
}

/** The server does not accept the token; `detail` is the reason. */
export function invalidToken(detail: string, cause?: Error): HttpError {
  return new HttpError('invalid-token', detail, { cause, headers: invalidTokenChallenge(detail) })
}

/** The token is valid but has expired. */
export function expiredToken(cause: Error): HttpError {
  const detail = 'The token has expired: request a new one'
  return new HttpError('token-expired', detail, { cause, headers: invalidTokenChallenge(detail) })
}

function invalidTokenChallenge(detail: string): Record<string, string> {
  const description = detail.slice(0, MAX_DESCRIPTION_LENGTH).replaceAll(FORBIDDEN_CHARACTERS, '?')
  return {
    'WWW-Authenticate': `${CHALLENGE}, error="invalid_token", error_description="${description}"`,
  }
}

/** The gateway's identity header is unusable. */
export function unusableIdentity(detail: string): HttpError {
  return new HttpError('unauthenticated', detail, { headers: { 'WWW-Authenticate': CHALLENGE } })
}
