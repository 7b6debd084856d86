import jwt, { type JwtPayload } from 'jsonwebtoken'
import { groupsOf, identityOf, type IdentityRule } from '../identity.ts'
import type { VerificationKey } from '../keys/key-set.ts'
import { expiredToken, invalidToken } from './token-errors.ts'

/** Maximum difference between the clocks of issuer and server. */
const LEEWAY_SECONDS = 30

/** The key and the requirements for a token. */
interface Verification {
  /** Required `iss`; null accepts any. */
  readonly issuer: string | null
  /** Required `aud`; null accepts any. */
  readonly audience: string | null
  readonly identity: IdentityRule
  readonly key: VerificationKey
  readonly now: Date
}

/** The claims of a verified token. */
interface VerifiedToken {
  readonly user: string
  readonly groups: readonly string[]
  /** The claim `iss`; null if the token has none. */
  readonly issuer: string | null
  /** In milliseconds since 1970, including the leeway. */
  readonly expiresAt: number
}

/** Verifies signature, times, issuer and audience of a token. */
export function verifyToken(token: string, verification: Verification): VerifiedToken {
  const claims = verifiedClaims(token, verification)
  const { exp, iss } = claims
  if (exp === undefined) throw invalidToken("The token never expires: it needs the claim 'exp'")
  const user = identityOf(claims, verification.identity)
  const issuer = typeof iss === 'string' ? iss : null
  const groups = groupsOf(claims, verification.identity)
  return { user, groups, issuer, expiresAt: (exp + LEEWAY_SECONDS) * 1000 }
}

function verifiedClaims(token: string, verification: Verification): JwtPayload {
  const { key, now, issuer, audience } = verification
  const claims = translated(() =>
    jwt.verify(token, key.key, {
      algorithms: [key.algorithm],
      clockTimestamp: Math.floor(now.getTime() / 1000),
      clockTolerance: LEEWAY_SECONDS,
      issuer: issuer ?? undefined,
      audience: audience ?? undefined,
    }),
  )
  if (typeof claims === 'string') throw invalidToken("The token's payload is not a JSON object")
  requireFiniteTimes(claims)
  return claims
}

/** A number such as 1e999 is Infinity in JavaScript, and a token with that `exp` never expires. */
function requireFiniteTimes(claims: JwtPayload): void {
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    const value: unknown = claims[name]
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value * 1000)))
      continue
    throw invalidToken(`The token's claim '${name}' is not a time in seconds`)
  }
}

function translated<T>(verify: () => T): T {
  try {
    return verify()
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw expiredToken(error)
    if (error instanceof jwt.JsonWebTokenError) {
      throw invalidToken(`The token is not valid: ${error.message}`, error)
    }
    // The library throws other errors for some malformed tokens. Their messages may quote the
    // token, so they are not kept as the cause.
    throw invalidToken('The token is not valid: its payload or signature cannot be read')
  }
}
