import { type Envelope, isEncrypted } from '../../lib/encryption/envelope.ts'

/** Converts a part of webhooks for storage. */
export interface Seal {
  seal(text: string, webhookId: string): string
  /** Throws if the stored text is encrypted with a key that this server lacks. */
  open(stored: string, webhookId: string): string
  /** The beginning of sealed texts; null if they are stored as they are. */
  readonly prefix: string | null
}

/** The parts of webhooks that are encrypted if the server has an encryption key. */
export interface WebhookSeals {
  readonly secrets: Seal
  readonly urls: Seal
}

export function createWebhookSeals(envelope: Envelope | null): WebhookSeals {
  return { secrets: createSeal(envelope, 'webhook'), urls: createSeal(envelope, 'url of webhook') }
}

function createSeal(envelope: Envelope | null, owner: string): Seal {
  const contextOf = (id: string): string => `${owner} ${id}`
  return {
    prefix: envelope?.prefix ?? null,
    seal: (text, id) => (envelope === null ? text : envelope.encrypt(text, contextOf(id))),
    open: (stored, id) => {
      if (!isEncrypted(stored)) return stored
      if (envelope !== null) return envelope.decrypt(stored, contextOf(id))
      throw new Error(`the ${owner} is encrypted, and SECRETS_ENCRYPTION_KEY is not set`)
    },
  }
}
