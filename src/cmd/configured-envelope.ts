import { createEnvelope, type Envelope } from '../lib/encryption/envelope.ts'
import type { Config } from './settings.ts'

/** Encrypts with the first of the configured keys, and decrypts with all; null without a key. */
export function configuredEnvelope({
  secretsEncryptionKeys: [first, ...others],
}: Pick<Config, 'secretsEncryptionKeys'>): Envelope | null {
  return first ? createEnvelope([first, ...others]) : null
}
