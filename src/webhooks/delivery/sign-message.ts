import { createHmac } from 'node:crypto'
import { keyOfSecret } from '../subscriptions/secret.ts'

interface Message {
  readonly messageId: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly payload: string
}

/** The headers of a message in the form of Standard Webhooks, with a signature for each secret. */
export function signedHeaders(
  { messageId, timestamp, payload }: Message,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const content = `${messageId}.${timestamp}.${payload}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOfSecret(secret)).update(content).digest('base64')}`,
  )
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
