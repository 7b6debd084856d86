import type {
  JsonPatchRequest,
  QueuedDeliveries,
  QueuedDelivery,
  Webhook,
  WebhookCreateRequest,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithPayload,
  WebhookList,
  WebhookPatchRequest,
  WebhookWithSecret,
} from '../generated/hyperfleet.ts'
import { apiPath } from '../http/api-path.ts'
import { JSON_PATCH } from '../http/patch-types.ts'
import type { ApiRequest, CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'

/** Options of lists of deliveries. */
export interface DeliveryListOptions extends CallOptions {
  /** Only deliveries in this state. */
  readonly state?: 'pending' | 'delivered' | 'dead' | undefined
}

/** Options of a rotation. */
export interface RotationOptions extends CallOptions {
  /** The seconds for which the replaced secret signs too; the default is a day. */
  readonly overlapSeconds?: number | undefined
}

const PAGE_SIZE = 1000
const DELIVERIES_PER_PAGE = 200

/** Subscriptions that send changes to a URL. */
export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a webhook. Keep the secret of the result: no other response contains it. */
  create(webhook: WebhookCreateRequest, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return this.#send({ method: 'POST', path: pathOf(), body: webhook, ...options })
  }

  /** All webhooks, in the order of their creation. */
  async *list(options: CallOptions = {}): AsyncGenerator<Webhook, void, undefined> {
    for (let page = 1; ; page += 1) {
      const query = { page, pageSize: PAGE_SIZE }
      const { items } = await this.#read<WebhookList>(pathOf(), options, query)
      yield* items
      if (items.length < PAGE_SIZE) return
    }
  }

  /** Reads a webhook. */
  get(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.#read(pathOf(id), options)
  }

  /** Changes fields of a webhook. Null restores the default of a field. */
  patch(id: string, change: WebhookPatchRequest, options: CallOptions = {}): Promise<Webhook> {
    return this.#send({ method: 'PATCH', path: pathOf(id), body: change, ...options })
  }

  /** Applies a JSON Patch (RFC 6902) to a webhook. */
  jsonPatch(id: string, patch: JsonPatchRequest, options: CallOptions = {}): Promise<Webhook> {
    const headers = { 'Content-Type': JSON_PATCH }
    return this.#send({ method: 'PATCH', path: pathOf(id), body: patch, headers, ...options })
  }

  /** Deletes a webhook with its pending deliveries. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#send({ method: 'DELETE', path: pathOf(id), ...options })
  }

  /** Replaces the secret. Both secrets verify events until the overlap ends. */
  rotateSecret(
    id: string,
    { overlapSeconds, ...options }: RotationOptions = {},
  ): Promise<WebhookWithSecret> {
    const body = overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds }
    return this.#send({ method: 'POST', path: pathOf(id, 'rotate-secret'), body, ...options })
  }

  /** Sends a `webhook.test` event. Its delivery shows the result. */
  test(id: string, options: CallOptions = {}): Promise<QueuedDelivery> {
    return this.#send({ method: 'POST', path: pathOf(id, 'test'), ...options })
  }

  /** The deliveries of a webhook, newest first. */
  async *deliveries(
    id: string,
    { state, ...options }: DeliveryListOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    let before: string | undefined
    do {
      const query = { state, before, limit: DELIVERIES_PER_PAGE }
      const path = pathOf(id, 'deliveries')
      const page: WebhookDeliveryList = await this.#read(path, options, query)
      yield* page.items
      before = page.next ?? undefined
    } while (before !== undefined)
  }

  /** A delivery with its payload. */
  delivery(
    id: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<WebhookDeliveryWithPayload> {
    return this.#read(pathOf(id, 'deliveries', deliveryId), options)
  }

  /** Sends dead letters again, at most 1000, the oldest first. Returns their number. */
  async redeliverAll(id: string, options: CallOptions = {}): Promise<number> {
    const path = pathOf(id, 'dead-letters', 'redeliver')
    const { count } = await this.#send<QueuedDeliveries>({ method: 'POST', path, ...options })
    return count
  }

  /** Sends one dead letter again. */
  redeliver(id: string, deliveryId: string, options: CallOptions = {}): Promise<QueuedDelivery> {
    const path = pathOf(id, 'dead-letters', deliveryId, 'redeliver')
    return this.#send({ method: 'POST', path, ...options })
  }

  async #read<T>(
    path: string,
    options: CallOptions,
    query: NonNullable<ApiRequest['query']> = {},
  ): Promise<T> {
    const request = { method: 'GET', path, query, retry: 'always', ...options } as const
    return (await this.#transport.request<T>(request)).body
  }

  async #send<T>(request: Omit<ApiRequest, 'retry'>): Promise<T> {
    return (await this.#transport.request<T>({ ...request, retry: 'rejected' })).body
  }
}

function pathOf(...segments: readonly string[]): string {
  return apiPath('webhooks', ...segments)
}
