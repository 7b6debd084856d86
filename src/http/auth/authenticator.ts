import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Principal } from '../../core/auth/principal.ts'
import { bearerToken } from './bearer-token.ts'
import { findKey } from './find-key.ts'
import { identityRule } from './identity.ts'
import { type IssuerSettings, keySourceOf } from '../../core/auth/issuer-settings.ts'
import type { VerificationKey } from './key-set.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import { rememberTokens, type Verdict, type Verify } from './remember-tokens.ts'
import { selectIssuer } from './select-issuer.ts'
import { readTokenHeader } from './token-header.ts'
import { verifyToken } from './verify-token.ts'

/** The caller when requests need no token. */
const SYSTEM: Principal = {
  user: 'system@hyperfleet.local',
  groups: [],
  issuer: null,
  keyId: null,
  expiresAt: null,
  isRevoked: () => false,
}
const MAX_CACHED_TOKENS = 10_000

/** The settings that decide who may call. */
export interface AuthSettings {
  /** The issuers whose tokens are accepted; without any, requests need no token. */
  readonly issuers: readonly IssuerSettings[]
  readonly disabled: boolean
  /** The claim that lists the groups of a token's user. */
  readonly groupsClaim: string
}

/** Identifies callers. */
export interface Authenticator extends AsyncDisposable {
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

/** An issuer and its keys, which verify the tokens of no other issuer. */
interface Issuer {
  readonly settings: IssuerSettings
  readonly keys: KeyStore
}

/**
 * Verifies each token against the key set of its issuer. Throws if a key file is unusable; an
 * unreachable URL is tried again later.
 */
export async function createAuthenticator(
  { issuers, disabled, groupsClaim }: AuthSettings,
  { clock, log }: Context,
): Promise<Authenticator> {
  if (disabled || issuers.length === 0) {
    log.warn({ user: SYSTEM.user }, 'authentication is off: requests are accepted without a token')
    return openToAll
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
  const verify = rememberTokens(verifier(opened, groupsClaim, clock), {
    capacity: MAX_CACHED_TOKENS,
    clock,
  })
  return {
    authenticate: async (authorization) => (await verify(bearerToken(authorization))).principal,
    [Symbol.asyncDispose]: closeAll,
  }
}

const openToAll: Authenticator = {
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
    return verdictOf(verified, { keys, key, keySet })
  }
}

function verdictOf(
  { user, groups, issuer, expiresAt }: ReturnType<typeof verifyToken>,
  { keys, key, keySet }: Awaited<ReturnType<typeof findKey>> & { readonly keys: KeyStore },
): Verdict {
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
