import { createBatcher } from '../../lib/async/batcher.ts'
import { pause } from '../../lib/async/pause.ts'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import type { Clock } from '../../lib/clock.ts'
import { errorMessage } from '../../lib/error-message.ts'
import type { Database } from '../../store/database/database.ts'
import { closeCircuit, recordFailure } from '../storage/circuit.ts'
import { changeDefinitions } from '../storage/change-definitions.ts'
import { claimDeliveries, type ClaimedDelivery } from '../storage/claim-deliveries.ts'
import { disableGoneWebhook } from '../storage/disable-webhook.ts'
import { finishDeliveries, type FinishedAttempt } from '../storage/finish-deliveries.ts'
import { releaseDelivery } from '../storage/release-delivery.ts'
import type { WebhookSeals } from '../subscriptions/seal.ts'
import { type Attempt, decideOutcome, requestedPause } from './decide-outcome.ts'
import { signedHeaders } from './sign-message.ts'

/** Between two searches for due deliveries, so that finished ones are replaced together. */
const PAUSE_MS = 10
/** The longest time between two searches: other servers queue deliveries too. */
const IDLE_MS = 1000
const RETRY_MS = 1000
/** A server without the key of a webhook leaves its deliveries to others for this time. */
const UNREADABLE_PAUSE_MS = 5000
/**
 * The maximum number of deliveries that a server sends at the same time, for all webhooks. A single
 * tenant gets at most half of them.
 */
export const MAX_IN_FLIGHT = 512
/** The maximum number of bytes of payloads that a server takes together. */
const MAX_CLAIMED_BYTES = 8_388_608
const LEASE_MARGIN_SECONDS = 5
/** When a server stops, attempts have this time to end. */
const DRAIN_MS = 5000

/** The lease of a delivery outlasts the timeout of its request and the statements around it. */
export function leaseSecondsOf(timeoutSeconds: number): number {
  return timeoutSeconds + LEASE_MARGIN_SECONDS
}

/** A request to a receiver. */
export interface OutgoingEvent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export interface DeliveryOptions extends WebhookSeals {
  readonly database: Database
  readonly clock: Clock
  readonly random: () => number
  /** Sends a request and resolves with the receiver's response. */
  readonly send: (event: OutgoingEvent) => Promise<Omit<Attempt & { type: 'response' }, 'type'>>
  readonly timeoutSeconds: number
  /** The maximum number of deliveries that this server sends for one webhook at the same time. */
  readonly perWebhook: number
  /** Seconds before each further attempt. */
  readonly schedule: readonly number[]
  readonly statementTimeoutMs: number
  /** Without webhooks, nothing can be due until `wake` is called. */
  readonly hasWebhooks: () => boolean
  readonly onAttempt: (result: 'delivered' | 'failed' | 'dead', seconds: number) => void
  /**
   * Called if the URL or a secret of a webhook cannot be read, so that a delivery was not attempted.
   * `isFirst`: since the start of this server, or since the last delivery that it could read.
   */
  readonly onUnreadable: (webhookId: string, error: unknown, isFirst: boolean) => void
  readonly onError: (error: unknown) => void
}

/** The part of each server that sends events. */
export interface Deliveries extends AsyncDisposable {
  /** Searches for due deliveries now. */
  wake(): void
}

/**
 * Sends due deliveries: one at a time per resource and webhook, in the order of the log. A delivery
 * whose server dies is due again when its lease ends, so an event can arrive twice.
 */
export function startDeliveries(options: DeliveryOptions): Deliveries {
  return new DeliveryLoop(options)
}

/** The receiver of a delivery, decrypted. */
interface OpenedTarget {
  readonly url: string
  readonly secrets: readonly string[]
}

class DeliveryLoop implements Deliveries {
  readonly #options: DeliveryOptions
  readonly #finish: (attempt: FinishedAttempt) => Promise<boolean>
  readonly #stopped = new AbortController()
  /** Aborts each request in flight. */
  readonly #requests = new Set<AbortController>()
  #isInterrupted = false
  readonly #sending = new Set<Promise<void>>()
  readonly #busy = new Map<string, number>()
  /** Webhooks with a failure at this server since their last success. */
  readonly #failing = new Set<string>()
  /** Webhooks whose URL or secret this server cannot read, with the time of the next attempt. */
  readonly #unreadable = new Map<string, number>()
  readonly #ended: Promise<void>
  #wake = (): void => undefined
  #isDue = true

  constructor(options: DeliveryOptions) {
    this.#options = options
    const { database, statementTimeoutMs } = options
    this.#finish = createBatcher<FinishedAttempt, boolean>(
      async (attempts) => {
        const held = await finishDeliveries(database, attempts)
        return attempts.map(({ delivery }) => held.has(delivery.seq))
      },
      {
        name: 'finish_deliveries',
        maxBatchSize: 200,
        timeoutMs: statementTimeoutMs,
        concurrency: 1,
      },
    )
    this.#ended = this.#work()
  }

  wake(): void {
    this.#isDue = true
    this.#wake()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    this.#wake()
    await this.#ended
    await withTimeout(Promise.all(this.#sending), DRAIN_MS)
    this.#isInterrupted = true
    for (const request of this.#requests) request.abort()
    await Promise.all(this.#sending)
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      this.#isDue = false
      try {
        if (await this.#claim()) this.#isDue = true
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error)
        await pause(RETRY_MS, signal)
      }
      await pause(PAUSE_MS, signal)
      if (!this.#isDue && !signal.aborted) await this.#sleep()
    }
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.hasWebhooks() ? setTimeout(resolve, IDLE_MS) : undefined
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Starts to send due deliveries. Returns whether there may be more. */
  async #claim(): Promise<boolean> {
    const { database, perWebhook, timeoutSeconds } = this.#options
    const free = MAX_IN_FLIGHT - this.#sending.size
    if (free === 0) return false
    // The lease begins after this time, by the clock of the database.
    const latestStart = performance.now() + LEASE_MARGIN_SECONDS * 1000
    const deliveries = await claimDeliveries(database, {
      busy: this.#busy,
      excluded: this.#excluded(),
      perWebhook,
      free,
      maxBytes: MAX_CLAIMED_BYTES,
      leaseSeconds: leaseSecondsOf(timeoutSeconds),
    })
    for (const delivery of deliveries) this.#start(delivery, latestStart)
    return deliveries.length > 0
  }

  #excluded(): readonly string[] {
    const now = performance.now()
    return [...this.#unreadable].filter(([, until]) => until > now).map(([id]) => id)
  }

  #start(delivery: ClaimedDelivery, latestStart: number): void {
    const { webhookId } = delivery
    this.#busy.set(webhookId, (this.#busy.get(webhookId) ?? 0) + 1)
    const sending = this.#deliver(delivery, latestStart)
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#sending.delete(sending)
        const count = (this.#busy.get(webhookId) ?? 1) - 1
        if (count === 0) this.#busy.delete(webhookId)
        else this.#busy.set(webhookId, count)
        this.wake()
      })
    this.#sending.add(sending)
  }

  /** If the result cannot be stored, the delivery is due again when its lease ends. */
  async #deliver(delivery: ClaimedDelivery, latestStart: number): Promise<void> {
    const { database, schedule, random, onAttempt } = this.#options
    // This process was paused: another server may have taken the delivery.
    if (performance.now() > latestStart) return
    const message = this.#open(delivery)
    if (message === null) {
      // Another server may have the key.
      await releaseDelivery(database, delivery)
      return
    }
    const start = performance.now()
    const attempt = await this.#send(delivery, message)
    if (attempt === null) {
      await releaseDelivery(database, delivery)
      return
    }
    const durationMs = performance.now() - start
    const rules = { schedule, random: random() }
    const { isGone, ...outcome } = decideOutcome(attempt, delivery.attempts + 1, rules)
    onAttempt(outcome.state === 'pending' ? 'failed' : outcome.state, durationMs / 1000)
    const counts = await this.#finish({ delivery, ...outcome, durationMs })
    if (counts && isGone) await this.#disable(delivery)
    // The lease has ended, the webhook was deleted, or it has just been disabled.
    if (!counts || isGone) {
      this.#failing.delete(delivery.webhookId)
      return
    }
    if (outcome.state === 'delivered') {
      const hasFailed = this.#failing.delete(delivery.webhookId)
      if (hasFailed || delivery.failures > 0) await closeCircuit(database, delivery.webhookId)
    } else if (delivery.isProbe || delivery.attempts === 0) {
      await this.#recordFailure(delivery, attempt)
    }
  }

  /** The receiver of another URL may have replaced it since. */
  async #disable({ webhookId: id, url }: ClaimedDelivery): Promise<void> {
    const reason = 'The receiver responded with status 410 (Gone)'
    await changeDefinitions(this.#options.database, (locked) =>
      disableGoneWebhook(locked, { id, url }, reason),
    )
  }

  /** Later attempts of an event that only its receiver rejects do not open the circuit. */
  #recordFailure({ webhookId, isProbe }: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const { database, schedule } = this.#options
    this.#failing.add(webhookId)
    return recordFailure(database, {
      webhookId,
      isProbe,
      retryAfterSeconds: requestedPause(attempt),
      firstPauseSeconds: schedule[0] ?? 0,
    })
  }

  /** Decrypts what a request needs. A missing key is not a failure of the receiver. */
  #open({ webhookId, url, secrets }: ClaimedDelivery): OpenedTarget | null {
    const { secrets: seal, urls, onUnreadable } = this.#options
    try {
      const opened = {
        url: urls.open(url, webhookId),
        secrets: secrets.map((secret) => seal.open(secret, webhookId)),
      }
      this.#unreadable.delete(webhookId)
      return opened
    } catch (error) {
      const isFirst = !this.#unreadable.has(webhookId)
      this.#unreadable.set(webhookId, performance.now() + UNREADABLE_PAUSE_MS)
      onUnreadable(webhookId, error, isFirst)
      return null
    }
  }

  /** Returns null if the request was interrupted because the server stops. */
  async #send({ messageId, payload }: ClaimedDelivery, { url, secrets }: OpenedTarget) {
    const { clock, timeoutSeconds, send } = this.#options
    const request = new AbortController()
    this.#requests.add(request)
    const timeout = setTimeout(() => request.abort(), timeoutSeconds * 1000)
    try {
      const timestamp = Math.floor(clock().getTime() / 1000)
      const headers = signedHeaders({ messageId, timestamp, payload }, secrets)
      const response = await send({ url, headers, body: payload, signal: request.signal })
      return { type: 'response', ...response } as const
    } catch (error) {
      if (this.#isInterrupted) return null
      const { aborted } = request.signal
      const text = aborted ? `no response within ${timeoutSeconds} s` : describe(error)
      return { type: 'failure', error: text } as const
    } finally {
      clearTimeout(timeout)
      this.#requests.delete(request)
    }
  }
}

/** The message of a failed connection, which is nested if a name has several addresses. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(errorMessage).join('; ')
  }
  return errorMessage(error)
}
