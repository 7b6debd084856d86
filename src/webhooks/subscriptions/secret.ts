import { randomBytes } from 'node:crypto'

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
