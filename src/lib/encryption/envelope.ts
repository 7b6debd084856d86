import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from './encryption-keys.ts'

const ALGORITHM = 'aes-256-gcm'
const PREFIX = 'flotilla:v1:'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Encrypts and decrypts text. */
export interface Envelope {
  /** `context` names the owner of the text. The same context must be given to decrypt it. */
  encrypt(text: string, context: string): string
  decrypt(encrypted: string, context: string): string
  /** The beginning of the texts that it encrypts, with the ID of the first key. */
  readonly prefix: string
}

/** Whether a text is the result of an encryption. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(PREFIX)
}

/** Encrypts with the first key, and decrypts with all; null without a key. */
export function configuredEnvelope([first, ...others]: readonly EncryptionKey[]): Envelope | null {
  return first ? createEnvelope([first, ...others]) : null
}

/**
 * Creates an envelope encryption with AES-256-GCM: a random data key encrypts the text, and the
 * first of the given keys encrypts the data key. The result contains the id of that key.
 */
export function createEnvelope(keys: readonly [EncryptionKey, ...EncryptionKey[]]): Envelope {
  const [current] = keys
  const byId = new Map(keys.map((key) => [key.id, key.key]))
  const prefix = `${PREFIX}${current.id}:`
  return {
    prefix,
    encrypt: (text, context) => {
      const dataKey = randomBytes(KEY_BYTES)
      const wrapped = seal(current.key, dataKey, `${current.id}\0${context}`)
      const sealed = seal(dataKey, Buffer.from(text), context)
      return `${prefix}${wrapped.toString('base64')}:${sealed.toString('base64')}`
    },
    decrypt: (encrypted, context) => {
      const [id = '', wrapped = '', sealed = ''] = partsOf(encrypted)
      const key = byId.get(id)
      if (!key) {
        throw new Error(
          `encrypted with the key '${id}', which SECRETS_ENCRYPTION_KEY does not list`,
        )
      }
      try {
        const dataKey = open(key, Buffer.from(wrapped, 'base64'), `${id}\0${context}`)
        return open(dataKey, Buffer.from(sealed, 'base64'), context).toString()
      } catch (error) {
        throw new Error(`cannot be decrypted with the key '${id}'`, { cause: error })
      }
    },
  }
}

function partsOf(encrypted: string): readonly string[] {
  if (!isEncrypted(encrypted)) throw new Error('the text is not encrypted')
  return encrypted.slice(PREFIX.length).split(':')
}

/** Nonce, ciphertext and tag. */
function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(sealed.length - TAG_BYTES)
  const content = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv(ALGORITHM, key, nonce, options)
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(content), decipher.final()])
}
