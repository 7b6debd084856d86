import type { FlotillaError } from '../../../lib/errors.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { KeySet, VerificationKey } from './key-set.ts'
import type { KeyStore } from './key-store.ts'
import { quote, type TokenHeader } from '../tokens/token-header.ts'
import { invalidToken } from '../tokens/token-errors.ts'

/** A key and the key set that contains it. */
interface FoundKey {
  readonly key: VerificationKey
  readonly keySet: KeySet
}

/** Finds the key that verifies a token. Refreshes the key set if it does not contain the key. */
export async function findKey(keys: KeyStore, header: TokenHeader): Promise<FoundKey> {
  const cached = keys.current() ?? (await keys.refresh())
  if (!cached) throw noKeySet()
  const key = selectKey(cached, header)
  if (key) return { key, keySet: cached }
  const refreshed = (await keys.refresh()) ?? cached
  const newKey = selectKey(refreshed, header)
  if (newKey) return { key: newKey, keySet: refreshed }
  const named = header.keyId === null ? `for ${header.algorithm}` : quote(header.keyId)
  throw invalidToken(`The token is signed by an unknown key: the key set has no key ${named}`)
}

/**
 * Selects the key that matches the token's header; null if there is none. Throws if the key has
 * another algorithm, or if a token without a key id matches several keys.
 */
function selectKey(keys: KeySet, { algorithm, keyId }: TokenHeader): VerificationKey | null {
  const candidates = keys.filter((key) => key.algorithm === algorithm)
  if (keyId === null) {
    if (candidates.length > 1) {
      throw invalidToken(`The token names no key, and the key set has several for ${algorithm}`)
    }
    return candidates[0] ?? null
  }
  const key = candidates.find(({ id }) => id === keyId)
  if (!key && keys.some(({ id }) => id === keyId)) {
    throw invalidToken(`The key ${quote(keyId)} does not verify the algorithm ${algorithm}`)
  }
  return key ?? null
}

function noKeySet(): FlotillaError {
  const detail = 'Tokens cannot be verified: the key set of the token issuer cannot be read'
  return new HttpError('unavailable', detail, { headers: { 'Retry-After': '1' } })
}
