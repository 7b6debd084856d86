import { errorMessage } from '../../lib/error-message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { jsonViolations } from '../../http/json/check-json.ts'
import { caBundleText } from '../../http/egress/ca-bundle.ts'
import { type Egress } from '../../http/egress/egress.ts'
import { readResponse } from '../../http/egress/read-body.ts'
import { jsonText, parseJsonText } from '../../lib/json/json-text.ts'

/** A call of a webhook for admission or conversion. */
export interface WebhookCall {
  /** The name of the webhook, for messages. */
  readonly name: string
  /** `clientConfig` of the configuration: `url` and `caBundle`. */
  readonly clientConfig: JsonValue | undefined
  /** Maximum time of the whole call. */
  readonly timeoutMs: number
  /** An AdmissionReview or ConversionReview. */
  readonly body: JsonObject
}

/** Calls webhooks. No transaction of the database is open during a call. */
export interface WebhookClient {
  /** Returns the object of the response. Rejects with a WebhookCallError. */
  call(call: WebhookCall): Promise<JsonObject>
}

/** A webhook could not be called, or its response is unusable. The message names the webhook. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError'

  constructor(webhook: string, reason: string, options: { readonly cause?: unknown } = {}) {
    super(`failed calling webhook "${webhook}": ${reason}`, options)
  }
}

interface Options {
  readonly egress: Egress
  /** Maximum size of a response. */
  readonly maxResponseBytes?: number
}

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024
const MAX_URL = 2048

/** Creates a client that calls the servers which the egress allows. */
export function createWebhookClient(options: Options): WebhookClient {
  const { egress, maxResponseBytes = MAX_RESPONSE_BYTES } = options

  async function post({ clientConfig, timeoutMs, body }: WebhookCall): Promise<string> {
    const { url, ca } = targetOf(clientConfig)
    url.searchParams.set('timeout', `${Math.ceil(timeoutMs / 1000)}s`)
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await egress.send({
        url,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: jsonText(body),
        ca,
        signal,
      })
      if (response.statusCode !== 200) {
        response.destroy()
        throw new Error(`the server responded with status ${response.statusCode}`)
      }
      return await readResponse(response, maxResponseBytes)
    } catch (cause) {
      const reason = signal.aborted ? `no response within ${timeoutMs} ms` : errorMessage(cause)
      throw new Error(`failed to call webhook: Post "${url.href}": ${reason}`, { cause })
    }
  }

  return {
    call: async (call) => {
      try {
        return parseResponse(await post(call))
      } catch (cause) {
        throw new WebhookCallError(call.name, errorMessage(cause), { cause })
      }
    },
  }
}

interface CallTarget {
  readonly url: URL
  readonly ca: string | null
}

function targetOf(clientConfig: JsonValue | undefined): CallTarget {
  const { url, service, caBundle } = isJsonObject(clientConfig) ? clientConfig : {}
  if (typeof url !== 'string') {
    const found = isJsonObject(service) ? `service ${jsonText(service['name'])}` : 'nothing'
    throw new Error(`planes have no services: set clientConfig.url, found ${found}`)
  }
  if (url.length > MAX_URL || !URL.canParse(url)) throw new Error('clientConfig.url is not a URL')
  return { url: new URL(url), ca: caBundleText(caBundle) }
}

/** The object of a response whose values the database can store exactly. */
function parseResponse(text: string): JsonObject {
  const value = parsed(text)
  const [violation] = jsonViolations(text, { integers: 'int64' })
  if (violation) throw new Error(`received invalid webhook response: ${violation.message}`)
  if (!isJsonObject(value)) throw new Error('received invalid webhook response: not an object')
  return value
}

function parsed(text: string): JsonValue {
  try {
    return parseJsonText(text)
  } catch (cause) {
    throw new Error('received invalid webhook response: not valid JSON', { cause })
  }
}
