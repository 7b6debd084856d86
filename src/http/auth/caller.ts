import type { Response } from 'express'

const PRINCIPAL = 'principal'

/** An authenticated caller. */
export interface Principal {
  /** What `created_by` and `updated_by` show. */
  readonly user: string
  /** The `iss` of the token; null without a token, or if the token has none. */
  readonly issuer: string | null
  /** The `kid` of the key that verified the token; null without a token, or if the key has none. */
  readonly keyId: string | null
  /** When the token expires, in milliseconds since 1970; null without a token. */
  readonly expiresAt: number | null
  /** Whether the key that verified the token is no longer in its issuer's key set. */
  readonly isRevoked: () => boolean
}

/** Records the authenticated caller of a request. */
export function setPrincipal(response: Response, principal: Principal): void {
  response.locals[PRINCIPAL] = principal
}

/** The authenticated caller; null before authentication and on public paths. */
export function principalOf(response: Response): Principal | null {
  const principal: Principal | undefined = response.locals[PRINCIPAL]
  return principal ?? null
}

/** The caller's identity, an e-mail address or another claim of the token; null if there is none. */
export function callerOf(response: Response): string | null {
  return principalOf(response)?.user ?? null
}
