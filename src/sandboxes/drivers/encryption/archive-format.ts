/** First bytes of an encrypted archive, with the version of its format. */
export const MAGIC = Buffer.from('FLSBXAE1')
export const SALT_BYTES = 32
export const HEADER_BYTES = MAGIC.length + SALT_BYTES
export const ALGORITHM = 'aes-256-gcm'
/** Plain bytes of each chunk except the last one. */
export const CHUNK_BYTES = 1024 * 1024
export const TAG_BYTES = 16
const NONCE_BYTES = 12

/** The nonce of a chunk: its number, and whether it is the last. So order and end are authenticated. */
export function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(index, 0, 6)
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1)
  return nonce
}
