import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import { type Principal, UNIDENTIFIED } from '../../access/principal.ts'
import { bearerToken } from './tokens/bearer-token.ts'
import { findKey } from './keys/find-key.ts'
import { type IdentityRule, identityRule } from './identity.ts'
import { type IssuerSettings, keySourceOf } from '../../access/issuer-settings.ts'
import type { VerificationKey } from './keys/key-set.ts'
import { createKeyStore, type KeyStore } from './keys/key-store.ts'
import { cacheTokens, type TokenResult, type Verify } from './tokens/token-cache.ts'
import { selectIssuer } from './tokens/select-issuer.ts'
import { readTokenHeader } from './tokens/token-header.ts'
import { verifyToken } from './tokens/verify-token.ts'

const MAX_CACHED_TOKENS = 10_000

/** The settings for authentication. */
export interface AuthSettings {
  /** The issuers whose tokens are accepted. If empty, requests need no token. */
  readonly issuers: readonly IssuerSettings[]
  readonly disabled: boolean
}

/** Identifies callers. */
export interface Authenticator extends AsyncDisposable {
  /** Whether requests need no token. */
  readonly isOff: boolean
  /**
   * The principal of an `Authorization` header. Throws `unauthenticated`, `invalid-token` or
   * `token-expired` with the challenge for the response, and `unavailable` while no keys are loaded.
   */
  authenticate(authorization: string | undefined): Promise<Principal>
}

interface Context {
  readonly clock: Clock
  readonly log: Log
}

/** An issuer and its keys, which never verify the tokens of another issuer. */
interface Issuer {
  readonly settings: IssuerSettings
  readonly identity: IdentityRule
  readonly keys: KeyStore
}

/**
 * Verifies each token with the key set of its issuer. Throws if a key file is unusable. A key URL
 * that is unreachable is tried again later.
 */
export async function createAuthenticator(
  { issuers, disabled }: AuthSettings,
  { clock, log }: Context,
): Promise<Authenticator> {
  if (disabled || issuers.length === 0) {
    log.warn(
      { user: UNIDENTIFIED.user },
      'authentication is off: requests are accepted without a token',
    )
    return anonymousAuthenticator
  }
  const opened: Issuer[] = []
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.map(({ keys }) => keys[Symbol.asyncDispose]()))
  }
  try {
    for (const settings of issuers) {
      opened.push({
        settings,
        identity: identityRule(settings, issuers),
        keys: await createKeyStore(keySourceOf(settings), { clock, log }),
      })
    }
  } catch (error) {
    await closeAll()
    throw error
  }
  const verify = cacheTokens(verifier(opened, clock), {
    capacity: MAX_CACHED_TOKENS,
    clock,
  })
  return {
    isOff: false,
    authenticate: async (authorization) => (await verify(bearerToken(authorization))).principal,
    [Symbol.asyncDispose]: closeAll,
  }
}

const anonymousAuthenticator: Authenticator = {
  isOff: true,
  authenticate: () => Promise.resolve(UNIDENTIFIED),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}

function verifier(issuers: readonly Issuer[], clock: Clock): Verify {
  return async (token) => {
    const header = readTokenHeader(token)
    const { settings, identity, keys } = selectIssuer(issuers, token)
    const { key, keySet } = await findKey(keys, header)
    const { issuer, audience, tenants } = settings
    const verified = verifyToken(token, { key, issuer, audience, identity, now: clock() })
    return tokenResult(
      { ...verified, bounds: { users: identity.users, tenants } },
      { keys, key, keySet },
    )
  }
}

function tokenResult(
  { expiresAt, ...verified }: ReturnType<typeof verifyToken> & Pick<Principal, 'bounds'>,
  { keys, key, keySet }: Awaited<ReturnType<typeof findKey>> & { readonly keys: KeyStore },
): TokenResult {
  const isRevoked = (): boolean => {
    const current = keys.current()
    return current !== keySet && !current?.some((other) => isSameKey(other, key))
  }
  return {
    principal: { ...verified, keyId: key.id, expiresAt, isRevoked },
    expiresAt,
    isCurrent: () => keys.current() === keySet,
  }
}

function isSameKey(first: VerificationKey, second: VerificationKey): boolean {
  return first.id === second.id && first.key.equals(second.key)
}
