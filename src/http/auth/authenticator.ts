import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Principal } from '../../core/auth/principal.ts'
import { bearerToken } from './bearer-token.ts'
import { findKey } from './find-key.ts'
import { identityRule } from './identity.ts'
import { type IssuerSettings, keySourceOf } from '../../core/auth/issuer-settings.ts'
import type { VerificationKey } from './key-set.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import { cacheTokens, type TokenResult, type Verify } from './token-cache.ts'
import { selectIssuer } from './select-issuer.ts'
import { readTokenHeader } from './token-header.ts'
import { verifyToken } from './verify-token.ts'

/** The caller of every request if authentication is off. */
const SYSTEM: Principal = {
  user: 'system@hyperfleet.local',
  groups: [],
  issuer: null,
  keyId: null,
  expiresAt: null,
  isRevoked: () => false,
}
const MAX_CACHED_TOKENS = 10_000

/** The settings for authentication. */
export interface AuthSettings {
  /** The issuers whose tokens are accepted. If empty, requests need no token. */
  readonly issuers: readonly IssuerSettings[]
  readonly disabled: boolean
  /** The claim that lists the groups of a token's user. */
  readonly groupsClaim: string
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
  readonly keys: KeyStore
}

/**
 * Verifies each token with the key set of its issuer. Throws if a key file is unusable. A key URL
 * that is unreachable is tried again later.
 */
export async function createAuthenticator(
  { issuers, disabled, groupsClaim }: AuthSettings,
  { clock, log }: Context,
): Promise<Authenticator> {
  if (disabled || issuers.length === 0) {
    log.warn({ user: SYSTEM.user }, 'authentication is off: requests are accepted without a token')
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
        keys: await createKeyStore(keySourceOf(settings), { clock, log }),
      })
    }
  } catch (error) {
    await closeAll()
    throw error
  }
  const verify = cacheTokens(verifier(opened, groupsClaim, clock), {
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
  authenticate: () => Promise.resolve(SYSTEM),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}

function verifier(issuers: readonly Issuer[], groupsClaim: string, clock: Clock): Verify {
  return async (token) => {
    const header = readTokenHeader(token)
    const { settings, keys } = selectIssuer(issuers, token)
    const { key, keySet } = await findKey(keys, header)
    const { issuer, audience } = settings
    const identity = identityRule(settings, groupsClaim)
    const verified = verifyToken(token, { key, issuer, audience, identity, now: clock() })
    return tokenResult(verified, { keys, key, keySet })
  }
}

function tokenResult(
  { user, groups, issuer, expiresAt }: ReturnType<typeof verifyToken>,
  { keys, key, keySet }: Awaited<ReturnType<typeof findKey>> & { readonly keys: KeyStore },
): TokenResult {
  const isRevoked = (): boolean => {
    const current = keys.current()
    return current !== keySet && !current?.some((other) => isSameKey(other, key))
  }
  return {
    principal: { user, groups, issuer, keyId: key.id, expiresAt, isRevoked },
    expiresAt,
    isCurrent: () => keys.current() === keySet,
  }
}

function isSameKey(first: VerificationKey, second: VerificationKey): boolean {
  return first.id === second.id && first.key.equals(second.key)
}
