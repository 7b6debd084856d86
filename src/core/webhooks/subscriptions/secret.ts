import { randomBytes } from 'node:crypto'
import { type Envelope, isEncrypted } from '../../../lib/encryption/envelope.ts'

const PREFIX = 'whsec_'
const KEY_BYTES = 32

/** A new signing secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64')
}

/** The key in a secret. */
export function keyOfSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}

/** Converts secrets for storage. */
export interface SecretSeal {
  seal(secret: string, webhookId: string): string
  /** Throws if the stored text is encrypted with a key that this server lacks. */
  open(stored: string, webhookId: string): string
}

/** Encrypts secrets if the server has an encryption key. */
export function createSecretSeal(envelope: Envelope | null): SecretSeal {
  return {
    seal: (secret, id) => (envelope === null ? secret : envelope.encrypt(secret, contextOf(id))),
    open: (stored, id) => {
      if (!isEncrypted(stored)) return stored
      if (envelope !== null) return envelope.decrypt(stored, contextOf(id))
      throw new Error('the secret is encrypted, and SECRETS_ENCRYPTION_KEY is not set')
    },
  }
}

function contextOf(webhookId: string): string {
  return `webhook ${webhookId}`
}
