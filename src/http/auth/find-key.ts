import type { FlotillaError } from '../../lib/errors.ts'
import { HttpError } from '../errors/http-error.ts'
import type { KeySet, VerificationKey } from './key-set.ts'
import type { KeyStore } from './key-store.ts'
import { quote, type TokenHeader } from './token-header.ts'
import { tokenRefused } from './token-refusal.ts'

/** A key and the set that it was found in. */
interface FoundKey {
  readonly key: VerificationKey
  readonly keySet: KeySet
}

/** The key that a token is to be verified with; a key that is not known yet is looked for again. */
export async function findKey(keys: KeyStore, header: TokenHeader): Promise<FoundKey> {
  const known = keys.current() ?? (await keys.refresh())
  if (!known) throw noKeySet()
  const key = selectKey(known, header)
  if (key) return { key, keySet: known }
  const refreshed = (await keys.refresh()) ?? known
  const newKey = selectKey(refreshed, header)
  if (newKey) return { key: newKey, keySet: refreshed }
  const named = header.keyId === null ? `for ${header.algorithm}` : quote(header.keyId)
  throw tokenRefused(`The token is signed by an unknown key: the key set has no key ${named}`)
}

/** The one key that fits; null where none does. A token that could never fit is refused. */
function selectKey(keys: KeySet, { algorithm, keyId }: TokenHeader): VerificationKey | null {
  const fitting = keys.filter((key) => key.algorithm === algorithm)
  if (keyId === null) {
    if (fitting.length > 1) {
      throw tokenRefused(`The token names no key, and the key set has several for ${algorithm}`)
    }
    return fitting[0] ?? null
  }
  const key = fitting.find(({ id }) => id === keyId)
  if (!key && keys.some(({ id }) => id === keyId)) {
    throw tokenRefused(`The key ${quote(keyId)} does not verify the algorithm ${algorithm}`)
  }
  return key ?? null
}

function noKeySet(): FlotillaError {
  const detail = 'Tokens cannot be verified: the key set of the token issuer cannot be read'
  return new HttpError('unavailable', detail, { headers: { 'Retry-After': '1' } })
}
