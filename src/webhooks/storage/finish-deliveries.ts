import type { DeliveryState } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

/**
 * Records attempts, and makes the queues due again: for the next delivery of the resource, or for
 * the next attempt. Has no effect on queues that another server has taken since. A queue that was
 * removed and created again repeats its leases, so the delivery must be pending too. Queues are
 * locked in the order of their keys, as in `queue-events.ts`, which can add deliveries concurrently.
 */
const FINISH_DELIVERIES = {
  name: 'finish_webhook_deliveries',
  text: `
    with attempt as (
      select webhook_id, resource_id, lease, seq, state, delay, status_code, error, duration_ms
      from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[],
        $6::double precision[], $7::integer[], $8::text[], $9::integer[])
        as attempt (webhook_id, resource_id, lease, seq, state, delay, status_code, error,
          duration_ms)
    ), held as (
      select attempt.*
      from webhook_queues join attempt using (webhook_id, resource_id)
      where webhook_queues.lease = attempt.lease and exists (
        select from webhook_deliveries
        where webhook_deliveries.seq = attempt.seq and webhook_deliveries.state = 'pending')
      order by webhook_queues.webhook_id, webhook_queues.resource_id
      for update of webhook_queues
    ), advanced as (
      update webhook_queues set
        pending = webhook_queues.pending - case held.state when 'pending' then 0 else 1 end,
        due_time = case
          when held.state = 'pending' then now() + make_interval(secs => held.delay)
          when webhook_queues.pending > 1 then now()
          else 'infinity' end
      from held
      where webhook_queues.webhook_id = held.webhook_id
        and webhook_queues.resource_id = held.resource_id
      returning held.seq
    ), recorded as (
      update webhook_deliveries set
        state = held.state,
        attempts = webhook_deliveries.attempts + 1,
        last_attempt_time = now(),
        status_code = held.status_code,
        error = held.error,
        duration_ms = held.duration_ms
      from held join advanced using (seq)
      where webhook_deliveries.seq = held.seq
    )
    select seq from advanced`,
}

/** The result of one attempt. */
export interface FinishedAttempt {
  readonly delivery: Pick<ClaimedDelivery, 'webhookId' | 'resourceId' | 'lease' | 'seq'>
  /** `pending` if another attempt follows. */
  readonly state: DeliveryState
  /** The time before that attempt. */
  readonly delaySeconds: number
  readonly statusCode: number | null
  /** '' after a success. */
  readonly error: string
  readonly durationMs: number
}

/** Records attempts. Returns the numbers of the deliveries that this server still held. */
export async function finishDeliveries(
  database: Database,
  attempts: readonly FinishedAttempt[],
): Promise<ReadonlySet<bigint>> {
  const values = [
    attempts.map(({ delivery }) => delivery.webhookId),
    attempts.map(({ delivery }) => delivery.resourceId),
    attempts.map(({ delivery }) => delivery.lease),
    attempts.map(({ delivery }) => delivery.seq),
    attempts.map(({ state }) => state),
    attempts.map(({ delaySeconds }) => delaySeconds),
    attempts.map(({ statusCode }) => statusCode),
    attempts.map(({ error }) => error),
    attempts.map(({ durationMs }) => Math.round(durationMs)),
  ]
  const rows = await database.execute<{ seq: bigint }>(FINISH_DELIVERIES, values)
  return new Set(rows.map(({ seq }) => seq))
}
