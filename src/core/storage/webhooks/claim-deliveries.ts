import { messageIdOf } from '../../model/webhook.ts'
import type { Database } from '../database/database.ts'
import { UNFENCED } from './unfenced.ts'

/**
 * Takes due queues, a bounded number per webhook, and reads the oldest pending delivery of each. The
 * lease moves the due time, so the queue becomes due again if this server dies. If the circuit of a
 * webhook is open, one server takes one queue of it per probe.
 */
const CLAIM_DELIVERIES = {
  name: 'claim_webhook_deliveries',
  text: `
    with probing as (
      update webhooks set probe_time = now() + make_interval(secs => $5::integer)
      where id in (
        select id from webhooks
        where state = 'active' and probe_time <= now() and exists (
          select from webhook_queues where webhook_id = webhooks.id and due_time <= now())
        for no key update skip locked)
      returning id, ${UNFENCED}
    ), due as (
      select queue.webhook_id, queue.resource_id
      from webhooks
      left join unnest($1::text[], $2::integer[]) as busy (id, count) on busy.id = webhooks.id
      cross join lateral (
        select webhook_id, resource_id from webhook_queues
        where webhook_id = webhooks.id and due_time <= now()
        order by due_time
        limit case
          when webhooks.probe_time is null then greatest($3::integer - coalesce(busy.count, 0), 0)
          when webhooks.id in (select id from probing) then 1
          else 0 end
        for update skip locked
      ) as queue
      where webhooks.state = 'active'
      limit $4::integer
    ), claimed as (
      update webhook_queues set
        due_time = now() + make_interval(secs => $5::integer), lease = lease + 1
      from due
      where webhook_queues.webhook_id = due.webhook_id
        and webhook_queues.resource_id = due.resource_id
      returning webhook_queues.webhook_id, webhook_queues.resource_id, lease
    )
    select claimed.webhook_id, claimed.resource_id, claimed.lease,
      delivery.seq, delivery.epoch, delivery.payload, delivery.attempts,
      webhooks.url, webhooks.secret, webhooks.failures, webhooks.probe_time is not null as is_probe,
      case when previous_secret_until > now() then previous_secret end as previous_secret
    from claimed
    join webhooks on webhooks.id = claimed.webhook_id
    cross join lateral (
      select seq, epoch, payload, attempts from webhook_deliveries
      where webhook_id = claimed.webhook_id and resource_id = claimed.resource_id
        and state = 'pending'
      order by seq limit 1
    ) as delivery
    order by delivery.seq`,
}

interface Claim {
  /** The deliveries that this server is sending, by webhook. */
  readonly busy: ReadonlyMap<string, number>
  /** The most deliveries that this server sends for one webhook at the same time. */
  readonly perWebhook: number
  readonly limit: number
  readonly leaseSeconds: number
}

/** A delivery that this server may send until its lease ends. */
export interface ClaimedDelivery {
  readonly webhookId: string
  readonly resourceId: string
  readonly lease: bigint
  readonly seq: bigint
  readonly messageId: string
  readonly payload: string
  /** The attempts before this one. */
  readonly attempts: number
  /** The failures of the webhook in a row. */
  readonly failures: number
  /** Whether the circuit is open, so that the result decides about the other deliveries. */
  readonly isProbe: boolean
  readonly url: string
  /** As stored, possibly encrypted: the current secret, and the previous one while it signs. */
  readonly secrets: readonly string[]
}

interface Row {
  readonly webhook_id: string
  readonly resource_id: string
  readonly lease: bigint
  readonly seq: bigint
  readonly epoch: string
  readonly payload: string
  readonly attempts: number
  readonly url: string
  readonly secret: string
  readonly previous_secret: string | null
  readonly failures: number
  readonly is_probe: boolean
}

/** Takes deliveries that are due: for each resource the oldest pending one of a webhook. */
export async function claimDeliveries(
  database: Database,
  { busy, perWebhook, limit, leaseSeconds }: Claim,
): Promise<readonly ClaimedDelivery[]> {
  const values = [[...busy.keys()], [...busy.values()], perWebhook, limit, leaseSeconds]
  const rows = await database.execute<Row>(CLAIM_DELIVERIES, values)
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    resourceId: row.resource_id,
    lease: row.lease,
    seq: row.seq,
    messageId: messageIdOf(row.epoch, row.seq),
    payload: row.payload,
    attempts: row.attempts,
    failures: row.failures,
    isProbe: row.is_probe,
    url: row.url,
    secrets: [row.secret, row.previous_secret].flatMap((secret) => secret ?? []),
  }))
}
