import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import type { Caller } from '../caller.ts'
import { bearerToken } from './bearer-token.ts'
import { findKey } from './find-key.ts'
import { keyFile, type KeySource } from './key-source.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import { keyUrl } from './key-url.ts'
import { rememberTokens, type Verify } from './remember-tokens.ts'
import { readTokenHeader } from './token-header.ts'
import { type Expectations, verifyToken } from './verify-token.ts'

/** Who calls where nobody has to say. */
const SYSTEM = 'system@hyperfleet.local'
const REMEMBERED_TOKENS = 10_000

/** The settings that decide who may call. */
export interface AuthSettings extends Expectations {
  readonly jwksUrl: string | null
  readonly jwksFile: string | null
  readonly disabled: boolean
}

/** Finds out who calls. */
export interface Authenticator extends AsyncDisposable {
  /**
   * The caller from an `Authorization` header, by e-mail, else user name, else subject.
   * Throws AUT-001, AUT-002 or AUT-003 with the challenge to answer, SVC-001 while there are no
   * keys to verify with.
   */
  authenticate(authorization: string | undefined): Promise<Caller>
}

interface Context {
  readonly clock: Clock
  readonly log: Log
}

/**
 * Verifies tokens against the configured key set; without one everybody is the system user. Throws
 * where the file cannot be used; a URL that cannot be reached is tried again later.
 */
export async function createAuthenticator(
  settings: AuthSettings,
  { clock, log }: Context,
): Promise<Authenticator> {
  const source = sourceOf(settings)
  if (!source) {
    log.warn({ user: SYSTEM }, 'authentication is off: requests are accepted without a token')
    return openToAll
  }
  const keys = await createKeyStore(source, { clock, log })
  const verify = rememberTokens(verifier(keys, settings, clock), {
    capacity: REMEMBERED_TOKENS,
    clock,
    keySet: keys.current,
  })
  return {
    authenticate: async (authorization) => {
      const { identity, expiresAt } = await verify(bearerToken(authorization))
      return { identity, expiresAt }
    },
    [Symbol.asyncDispose]: () => keys[Symbol.asyncDispose](),
  }
}

const openToAll: Authenticator = {
  authenticate: () => Promise.resolve({ identity: SYSTEM, expiresAt: null }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}

function sourceOf({ disabled, jwksUrl, jwksFile }: AuthSettings): KeySource | null {
  if (disabled) return null
  if (jwksUrl !== null) return keyUrl(jwksUrl)
  return jwksFile === null ? null : keyFile(jwksFile)
}

function verifier(keys: KeyStore, { issuer, audience }: Expectations, clock: Clock): Verify {
  return async (token) => {
    const { key, keySet } = await findKey(keys, readTokenHeader(token))
    return { ...verifyToken(token, { key, issuer, audience, now: clock() }), keySet }
  }
}
