/** A key that encrypts data keys (AES-256). */
export interface EncryptionKey {
  /** Stored with each ciphertext. */
  readonly id: string
  readonly key: Buffer
}

const KEY_BYTES = 32
const ID = /^[A-Za-z0-9._-]{1,63}$/
const BASE64 = /^[A-Za-z0-9+/]{43}=$/

/**
 * Reads keys such as `2026:q83v...=,2025:EjRW...=`. The first one encrypts; all decrypt. Messages
 * never contain keys.
 */
export function readEncryptionKeys(text: string): readonly EncryptionKey[] {
  const keys = text.split(',').map((entry, index) => keyOf(entry.trim(), index))
  for (const [index, { id }] of keys.entries()) {
    const first = keys.findIndex((key) => key.id === id)
    if (first < index) throw new Error(`entry ${index + 1} has the id of entry ${first + 1}`)
  }
  return keys
}

function keyOf(entry: string, index: number): EncryptionKey {
  const at = entry.indexOf(':')
  const id = entry.slice(0, Math.max(at, 0))
  const encoded = entry.slice(at + 1)
  const place = `entry ${index + 1}`
  if (at === -1 || !ID.test(id)) {
    throw new Error(
      `${place}: expected id:key with an id of 1 to 63 letters, digits, dots, hyphens and underscores`,
    )
  }
  if (!BASE64.test(encoded)) {
    throw new Error(
      `${place} ('${id}'): expected a key of ${KEY_BYTES} bytes in base64, such as the output of 'openssl rand -base64 ${KEY_BYTES}'`,
    )
  }
  return { id, key: Buffer.from(encoded, 'base64') }
}
