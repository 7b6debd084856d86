import type { WebhookMessage } from '../generated/hyperfleet.ts'

/** Seconds by which the clocks of the server and the receiver may differ. */
const TOLERANCE = 300
const PREFIX = 'whsec_'

/** A request that is not from the server, or older than five minutes. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook'
}

/** The headers of a request: `Headers`, or those of Node. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies a request of a webhook and returns its event. The body must be the text as it was received,
 * not parsed JSON. Rejects with `InvalidWebhook` if the signature or the time is wrong.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= TOLERANCE)) throw new InvalidWebhook('the timestamp is missing or too old')
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of headerOf(headers, 'webhook-signature').split(' ')) {
    if (!signature.startsWith('v1,')) continue
    const given = bytesOf(signature.slice('v1,'.length))
    if (await crypto.subtle.verify('HMAC', key, given, content)) return JSON.parse(body)
  }
  throw new InvalidWebhook('no signature matches the secret')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}

/** Text that is not base64 matches no signature. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array(0)
  }
}
