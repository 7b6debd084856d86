import { createHash, type KeyObject, randomUUID } from 'node:crypto'
import jwt, { type JwtPayload } from 'jsonwebtoken'
import type { ObjectKey, StoredObject } from '../../../store/objects/model/stored-object.ts'
import { expiredToken, invalidToken } from '../../../http/auth/tokens/token-errors.ts'
import { readTokenHeader } from '../../../http/auth/tokens/token-header.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isJsonObject } from '../../../lib/json/json.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { serviceAccountGroups, serviceAccountUser } from '../rbac/service-account-name.ts'
import { AUTHENTICATED } from '../system-groups.ts'
import type { SigningKeys } from './signing-keys.ts'
import {
  privateClaims,
  readPrivateClaims,
  type SandboxReference,
  type TokenClaims,
} from './token-claims.ts'

/** Clocks of servers may differ by this number of seconds. */
const LEEWAY_SECONDS = 10
const MAX_CACHED_TOKENS = 10_000
const SANDBOXES = 'sandboxes.agents.x-k8s.io'
const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id'

/** A verified token. Its service account may have been deleted. */
export interface VerifiedToken extends TokenClaims {
  readonly id: string
  readonly keyId: string
  readonly audiences: readonly string[]
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** Issues and verifies the tokens of service accounts. */
export interface ServiceAccountTokens {
  issue(claims: TokenClaims, audiences: readonly string[], seconds: number): Promise<string>
  /** Whether the unverified claims of a token name this server as the issuer. */
  isOwn(token: string): boolean
  /** Verifies signature and times. Throws `invalid-token` or `token-expired`. */
  verify(token: string): Promise<VerifiedToken>
  /**
   * The user of a verified token in a plane. Throws `invalid-token` if the token belongs to
   * another plane, has none of the audiences, or was issued for an object or a run of a sandbox that has ended.
   */
  userOf(token: VerifiedToken, plane: string, audiences?: readonly string[]): Promise<UserInfo>
  /** The issuer of the tokens of a plane, which is also their default audience. */
  issuerOf(plane: string): string
}

interface Options {
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly issuerOf: (plane: string) => string
  /** Reads the current state of an object. */
  readonly readObject: (key: ObjectKey) => Promise<StoredObject | null>
  /** Whether an instance of a sandbox runs, or is about to. */
  readonly isRunning: (sandbox: SandboxReference) => Promise<boolean>
}

/** Creates the issuer of tokens, which also verifies them. */
export function createServiceAccountTokens(options: Options): ServiceAccountTokens {
  const { keys, clock, issuerOf } = options
  const verified = new Map<string, VerifiedToken>()

  async function verify(token: string): Promise<VerifiedToken> {
    const digest = createHash('sha256').update(token).digest('base64')
    const cached = verified.get(digest)
    verified.delete(digest)
    if (cached && (await keys.find(cached.keyId)) && clock().getTime() < cached.expiresAt) {
      verified.set(digest, cached)
      return cached
    }
    const result = await verifyAgain(token, options)
    verified.set(digest, result)
    const [oldest] = verified.keys()
    if (verified.size > MAX_CACHED_TOKENS && oldest !== undefined) verified.delete(oldest)
    return result
  }

  return {
    issue: async (claims, audiences, seconds) => {
      const { id, privateKey } = await keys.current()
      const now = Math.floor(clock().getTime() / 1000)
      const payload = {
        aud: [...audiences],
        exp: now + seconds,
        iat: now,
        iss: issuerOf(claims.plane),
        jti: randomUUID(),
        nbf: now,
        sub: serviceAccountUser(claims.namespace, claims.account.name),
        ...privateClaims(claims),
      }
      return jwt.sign(payload, privateKey, { algorithm: 'ES256', keyid: id })
    },
    isOwn: (token) => {
      const payload = unverifiedPayload(token)
      const plane = payload['plane']
      return typeof plane === 'string' && payload['iss'] === issuerOf(plane)
    },
    verify,
    userOf: async (token, plane, audiences = [issuerOf(plane)]) => {
      if (token.plane !== plane) throw invalidToken('The token belongs to another plane')
      if (!token.audiences.some((audience) => audiences.includes(audience))) {
        throw invalidToken('The token is not intended for this audience')
      }
      await requireObjects(token, options)
      return userInfoOf(token)
    },
    issuerOf,
  }
}

function unverifiedPayload(token: string): Readonly<Record<string, unknown>> {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    )
    return typeof payload === 'object' && payload !== null ? { ...payload } : {}
  } catch {
    return {}
  }
}

async function verifyAgain(token: string, options: Options): Promise<VerifiedToken> {
  const { keyId } = readTokenHeader(token)
  const key = keyId === null ? null : await options.keys.find(keyId)
  if (!key) throw invalidToken('The token is signed by an unknown key')
  const payload = verifiedPayload(token, key.publicKey, options.clock())
  const claims = readPrivateClaims(payload)
  const { exp, iss, jti, aud } = payload
  if (!claims || exp === undefined || iss !== options.issuerOf(claims.plane)) {
    throw invalidToken('The token is not the token of a service account')
  }
  return {
    ...claims,
    id: jti ?? '',
    keyId: key.id,
    audiences: [aud ?? []].flat(),
    expiresAt: (exp + LEEWAY_SECONDS) * 1000,
  }
}

function verifiedPayload(token: string, key: KeyObject, now: Date): JwtPayload {
  try {
    const payload = jwt.verify(token, key, {
      algorithms: ['ES256'],
      clockTimestamp: Math.floor(now.getTime() / 1000),
      clockTolerance: LEEWAY_SECONDS,
    })
    if (typeof payload !== 'string') return payload
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw expiredToken(error)
    // Other messages may quote the token, so they are not kept as the cause.
  }
  throw invalidToken('The token is not valid: its signature, times or payload are wrong')
}

/** The objects that the token names must exist and have the uid of the token. */
async function requireObjects(
  { plane, namespace, account, secret, sandbox }: TokenClaims,
  { readObject, isRunning }: Options,
): Promise<void> {
  const references = [
    { resource: 'serviceaccounts', reference: account },
    ...(secret ? [{ resource: 'secrets', reference: secret }] : []),
    ...(sandbox ? [{ resource: SANDBOXES, reference: sandbox }] : []),
  ]
  const found = await Promise.all(
    references.map(({ resource, reference: { name } }) =>
      readObject({ plane, resource, namespace, name }),
    ),
  )
  for (const [index, { resource, reference }] of references.entries()) {
    const object = found[index]
    if (object && object.uid === reference.uid && !isDeleted(object)) continue
    throw invalidToken(`The token belongs to ${resource} "${reference.name}", which was deleted`)
  }
  if (sandbox === undefined || (await isRunning(sandbox))) return
  throw invalidToken(`The token belongs to a run of the sandbox "${sandbox.name}" that has ended`)
}

function isDeleted({ body: { metadata } }: StoredObject): boolean {
  return isJsonObject(metadata) && metadata['deletionTimestamp'] !== undefined
}

function userInfoOf({ namespace, account, id }: VerifiedToken): UserInfo {
  return {
    name: serviceAccountUser(namespace, account.name),
    uid: account.uid,
    groups: [...serviceAccountGroups(namespace), AUTHENTICATED],
    extra: { [CREDENTIAL_ID]: [`JTI=${id}`] },
  }
}
