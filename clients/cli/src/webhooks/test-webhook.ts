import type { WebhookDelivery } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { pollWithProgress } from '../waiting/poll-with-progress.ts'
import { timedOut } from '../waiting/timed-out.ts'
import { existing } from './existing.ts'
import { webhookId } from './webhook-id.ts'

/** The options of `flotilla webhook test`. */
export interface TestOptions {
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** Sends a test event, and waits for its first attempt. */
export async function testWebhook(
  session: Session,
  argument: string,
  { wait, timeout }: TestOptions,
): Promise<void> {
  const { client, signal, out } = session
  const id = webhookId(argument)
  const { state: webhookState } = await existing(client.webhooks.get(id, { signal }))
  if (wait && webhookState !== 'active') {
    throw new CliError(`webhook/${id} is ${webhookState}`, {
      hint: `'flotilla webhook resume ${id}' starts its deliveries.`,
    })
  }
  const queued = await client.webhooks.test(id, { signal })
  if (!wait) {
    out.write(`webhook/${id} test event ${queued.id} requested\n`)
    return
  }
  const {
    state,
    status_code: status,
    duration_ms: ms,
    error,
  } = await firstAttempt(session, { id, deliveryId: queued.id }, timeout)
  if (state !== 'delivered') {
    throw new CliError(`the receiver of webhook/${id} failed: ${error}`, {
      hint: `The event is sent again; 'flotilla webhook deliveries ${id}' shows the attempts.`,
    })
  }
  out.write(`webhook/${id} test event delivered: status ${status} after ${ms} ms\n`)
}

interface TestEvent {
  readonly id: string
  readonly deliveryId: string
}

async function firstAttempt(
  session: Session,
  { id, deliveryId }: TestEvent,
  timeoutMs: number,
): Promise<WebhookDelivery> {
  let delivery: WebhookDelivery | null = null
  const hasResult = await pollWithProgress(session, timeoutMs, async ({ signal, showProgress }) => {
    showProgress(`webhook/${id}: waiting for the response of the receiver`)
    delivery = await session.client.webhooks.delivery(id, deliveryId, { signal })
    return delivery.attempts > 0
  })
  if (hasResult && delivery !== null) return delivery
  throw timedOut(`the test event of webhook/${id} had no response after ${timeoutMs / 1000} s`)
}
