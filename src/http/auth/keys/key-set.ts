import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { errorMessage } from '../../../lib/error-message.ts'
import type { Algorithm } from '../tokens/algorithm.ts'

const MIN_RSA_BITS = 2048

/** A public key that verifies signatures of one algorithm. */
export interface VerificationKey {
  readonly id: string | null
  readonly algorithm: Algorithm
  readonly key: KeyObject
}

export type KeySet = readonly VerificationKey[]

interface Jwk {
  readonly kty?: unknown
  readonly kid?: unknown
  readonly use?: unknown
  readonly alg?: unknown
  readonly key_ops?: unknown
  readonly n?: unknown
  readonly e?: unknown
  readonly crv?: unknown
  readonly x?: unknown
  readonly y?: unknown
}

/**
 * Parses a JSON Web Key Set. Skips entries that cannot verify RS256 or ES256 and reports each to
 * `onSkipped`. Throws if the text is not a key set.
 */
export function parseKeySet(text: string, onSkipped: (reason: string) => void): KeySet {
  const keys: VerificationKey[] = []
  for (const [index, entry] of entriesOf(JSON.parse(text)).entries()) {
    try {
      keys.push(verificationKey(entry, keys))
    } catch (error) {
      onSkipped(`keys[${index}]: ${errorMessage(error)}`)
    }
  }
  return keys
}

function entriesOf(set: unknown): readonly unknown[] {
  if (typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys)) {
    return set.keys
  }
  throw new Error("expected a JSON Web Key Set, which is an object with the array 'keys'")
}

function verificationKey(entry: unknown, earlier: KeySet): VerificationKey {
  if (!isJwk(entry)) throw new Error('the entry is not an object')
  const { kid, use, alg, key_ops: operations } = entry
  const id = kid === undefined ? null : stringOf(kid, 'kid')
  if (use !== undefined && use !== 'sig') throw new Error("'use' is not 'sig'")
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    throw new Error("'key_ops' does not have 'verify'")
  }
  const algorithm = algorithmOf(entry)
  if (alg !== undefined && alg !== algorithm) throw new Error(`'alg' is not ${algorithm}`)
  if (id !== null && earlier.some((key) => key.id === id && key.algorithm === algorithm)) {
    throw new Error(`an earlier key has the same kid '${id}'`)
  }
  return { id, algorithm, key: publicKey(entry) }
}

function algorithmOf({ kty, crv }: Jwk): Algorithm {
  if (kty === 'RSA') return 'RS256'
  if (kty === 'EC' && crv === 'P-256') return 'ES256'
  throw new Error('the key is neither RSA nor EC on the curve P-256')
}

function publicKey(entry: Jwk): KeyObject {
  const key = createPublicKey({ format: 'jwk', key: publicParameters(entry) })
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < MIN_RSA_BITS) {
    throw new Error(`the RSA key has ${bits} bits, fewer than ${MIN_RSA_BITS}`)
  }
  return key
}

/** Only the public parameters are read, in case a set contains private keys by mistake. */
function publicParameters({ kty, n, e, crv, x, y }: Jwk): JsonWebKey {
  if (kty === 'RSA') return { kty: 'RSA', n: stringOf(n, 'n'), e: stringOf(e, 'e') }
  return { kty: 'EC', crv: stringOf(crv, 'crv'), x: stringOf(x, 'x'), y: stringOf(y, 'y') }
}

function stringOf(value: unknown, field: string): string {
  if (typeof value === 'string') return value
  throw new Error(`'${field}' is not a string`)
}

function isJwk(value: unknown): value is Jwk {
  return typeof value === 'object' && value !== null
}
