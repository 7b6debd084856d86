import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

/** An object that a token names. */
export interface TokenReference {
  readonly name: string
  readonly uid: string
}

/** The claims of a service account's token, apart from times, issuer and audience. */
export interface TokenClaims {
  readonly plane: string
  readonly namespace: string
  readonly account: TokenReference
  /** The token is invalid after the deletion of this secret; null for an unbound token. */
  readonly secret: TokenReference | null
  /** The token is only valid while this instance of the sandbox runs; absent for other tokens. */
  readonly sandbox?: SandboxReference
}

/** A run of a sandbox. */
export interface SandboxReference extends TokenReference {
  readonly instance: string
}

const KUBERNETES = 'kubernetes.io'

/** Writes the private claims. */
export function privateClaims({
  plane,
  namespace,
  account,
  secret,
  sandbox,
}: TokenClaims): JsonObject {
  return {
    plane,
    [KUBERNETES]: {
      namespace,
      serviceaccount: { ...account },
      ...(secret && { secret: { ...secret } }),
      ...(sandbox && { sandbox: { ...sandbox } }),
    },
  }
}

/** Reads the private claims; null if they are not those of a service account's token. */
export function readPrivateClaims(claims: Readonly<Record<string, unknown>>): TokenClaims | null {
  const plane = claims['plane']
  const kubernetes: JsonValue = jsonOf(claims[KUBERNETES])
  if (typeof plane !== 'string' || !isJsonObject(kubernetes)) return null
  const { namespace, serviceaccount, secret, sandbox } = kubernetes
  const account = referenceOf(serviceaccount)
  if (typeof namespace !== 'string' || !account) return null
  const bound = secret === undefined ? null : referenceOf(secret)
  const run = sandboxOf(sandbox)
  if ((secret !== undefined && !bound) || run === null) return null
  return { plane, namespace, account, secret: bound, ...(run && { sandbox: run }) }
}

/** Null if the value is malformed; undefined if there is none. */
function sandboxOf(value: JsonValue | undefined): SandboxReference | null | undefined {
  if (value === undefined) return undefined
  const reference = referenceOf(value)
  if (reference === null || !isJsonObject(value)) return null
  const { instance } = value
  return typeof instance === 'string' ? { ...reference, instance } : null
}

function referenceOf(value: JsonValue | undefined): TokenReference | null {
  if (!isJsonObject(value)) return null
  const { name, uid } = value
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : null
}

function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null))
}
