import jwt, { type JwtPayload } from 'jsonwebtoken'
import { groupsOf, identityOf, type IdentityRule } from './identity.ts'
import type { VerificationKey } from './key-set.ts'
import { tokenExpired, tokenRefused } from './token-refusal.ts'

/** How far the clocks of issuer and server may differ. */
const LEEWAY_SECONDS = 30

/** What a token must satisfy besides its signature. */
interface Verification {
  /** Null is not checked. */
  readonly issuer: string | null
  /** Null is not checked. */
  readonly audience: string | null
  readonly identity: IdentityRule
  readonly key: VerificationKey
  readonly now: Date
}

/** The caller of a token, and when the token expires. */
interface VerifiedToken {
  readonly user: string
  readonly groups: readonly string[]
  /** The claim `iss`, null if the token has none. */
  readonly issuer: string | null
  /** In milliseconds, with the leeway. */
  readonly expiresAt: number
}

/** Verifies signature, times, issuer and audience of a token. */
export function verifyToken(token: string, verification: Verification): VerifiedToken {
  const claims = verifiedClaims(token, verification)
  const { exp, iss } = claims
  if (exp === undefined) throw tokenRefused("The token never expires: it needs the claim 'exp'")
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
  if (typeof claims === 'string') throw tokenRefused("The token's payload is not a JSON object")
  requireFiniteTimes(claims)
  return claims
}

/** JSON has numbers that are infinite in JavaScript: a token with `exp` 1e999 would never expire. */
function requireFiniteTimes(claims: JwtPayload): void {
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    const value: unknown = claims[name]
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value * 1000)))
      continue
    throw tokenRefused(`The token's claim '${name}' is not a time in seconds`)
  }
}

function translated<T>(verify: () => T): T {
  try {
    return verify()
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw tokenExpired(error)
    if (error instanceof jwt.JsonWebTokenError) {
      throw tokenRefused(`The token is not valid: ${error.message}`, error)
    }
    // The library trips over some malformed tokens. No cause: its words would quote the token.
    throw tokenRefused('The token is not valid: its payload or signature cannot be read')
  }
}
