import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'

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
}

const KUBERNETES = 'kubernetes.io'

/** Writes the private claims. */
export function privateClaims({ plane, namespace, account, secret }: TokenClaims): JsonObject {
  return {
    plane,
    [KUBERNETES]: {
      namespace,
      serviceaccount: { ...account },
      ...(secret && { secret: { ...secret } }),
    },
  }
}

/** Reads the private claims; null if they are not those of a service account's token. */
export function readPrivateClaims(claims: Readonly<Record<string, unknown>>): TokenClaims | null {
  const plane = claims['plane']
  const kubernetes: JsonValue = jsonOf(claims[KUBERNETES])
  if (typeof plane !== 'string' || !isJsonObject(kubernetes)) return null
  const { namespace, serviceaccount, secret } = kubernetes
  const account = referenceOf(serviceaccount)
  if (typeof namespace !== 'string' || !account) return null
  const bound = secret === undefined ? null : referenceOf(secret)
  return secret !== undefined && !bound ? null : { plane, namespace, account, secret: bound }
}

function referenceOf(value: JsonValue | undefined): TokenReference | null {
  if (!isJsonObject(value)) return null
  const { name, uid } = value
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : null
}

function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null))
}
