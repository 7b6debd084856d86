import { messageIdOf } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'
import { UNFENCED } from './unfenced.ts'

/**
 * Takes due queues and reads the oldest pending delivery of each. The lease moves the due time, so the
 * queue becomes due again if this server dies.
 *
 * - `candidate`: the slots that webhooks could use, numbered per webhook. A webhook whose circuit is
 *   open has one, for its probe.
 * - `chosen`: of each tenant the webhooks with the fewest requests first, then those that wait longest.
 *   A tenant takes at most as many slots as it leaves free, so others always find some.
 * - `due`: locks queues of the chosen webhooks. Other servers take other queues of them.
 * - `fitting`: the first payloads up to the limit in bytes, at least one.
 * - `probing`: of several servers, one takes the probe of a webhook.
 */
const CLAIM_DELIVERIES = {
  name: 'claim_webhook_deliveries',
  text: `
    with busy as (
      select id, tenant, count
      from unnest($1::text[], $2::integer[]) as busy (id, count) join webhooks using (id)
    ), busy_tenant as (
      select tenant, sum(count) as count from busy group by tenant
    ), candidate as (
      select webhooks.id, tenant, due_time,
        coalesce(busy.count, 0) + row_number() over (partition by webhooks.id order by due_time)
          as webhook_slot
      from webhooks
      left join busy using (id, tenant)
      cross join lateral (
        select due_time from webhook_queues
        where webhook_id = webhooks.id and due_time <= now()
        order by due_time
        limit case
          when probe_time is null
            then least(greatest($3::integer - coalesce(busy.count, 0), 0), $4::integer)
          when probe_time <= now() then 1
          else 0 end
      ) as queue
      where state = 'active' and webhooks.id <> all($7::text[])
    ), ranked as (
      select id, due_time, coalesce(busy_tenant.count, 0)
        + row_number() over (partition by tenant order by webhook_slot, due_time, id) as tenant_slot
      from candidate left join busy_tenant using (tenant)
    ), chosen as (
      select id, min(rank) as rank, count(*) as slots
      from (
        select id, tenant_slot, row_number() over (order by tenant_slot, due_time, id) as rank
        from ranked
      ) as slot
      where tenant_slot + rank <= $4::integer + 1
      group by id
    ), due as (
      select chosen.id, resource_id, rank from chosen cross join lateral (
        select resource_id from webhook_queues
        where webhook_id = chosen.id and due_time <= now()
        order by due_time limit chosen.slots
        for update skip locked
      ) as queue
    ), fitting as (
      select id, resource_id, seq from (
        select id, resource_id, seq, row_number() over payloads as position,
          sum(bytes) over payloads as bytes
        from due cross join lateral (
          select seq, octet_length(payload) as bytes from webhook_deliveries
          where webhook_id = due.id and resource_id = due.resource_id and state = 'pending'
          order by seq limit 1
        ) as delivery
        window payloads as (order by rank, seq)
      ) as delivery
      where position = 1 or bytes <= $6::integer
    ), probing as (
      update webhooks set probe_time = now() + make_interval(secs => $5::integer)
      where id in (
        select id from webhooks
        where id in (select id from fitting) and state = 'active' and probe_time <= now()
        for no key update skip locked)
      returning id, ${UNFENCED}
    ), claimed as (
      update webhook_queues set
        due_time = now() + make_interval(secs => $5::integer), lease = lease + 1
      from fitting join webhooks using (id)
      where webhook_queues.webhook_id = fitting.id
        and webhook_queues.resource_id = fitting.resource_id
        and (webhooks.probe_time is null or webhooks.id in (select id from probing))
      returning webhook_queues.webhook_id, webhook_queues.resource_id, lease, seq
    )
    select claimed.webhook_id, claimed.resource_id, claimed.lease,
      seq, epoch, payload, attempts,
      webhooks.url, webhooks.secret, webhooks.failures, webhooks.probe_time is not null as is_probe,
      case when previous_secret_until > now() then previous_secret end as previous_secret
    from claimed
    join webhooks on webhooks.id = claimed.webhook_id
    join webhook_deliveries using (seq)
    order by seq`,
}

interface Claim {
  /** The deliveries that this server is sending, by webhook. */
  readonly busy: ReadonlyMap<string, number>
  /** Webhooks whose deliveries are left to other servers. */
  readonly excluded: readonly string[]
  /** The maximum number of deliveries that this server sends for one webhook at the same time. */
  readonly perWebhook: number
  /** The free slots of this server. */
  readonly free: number
  /** The maximum number of bytes of the payloads, unless the first one is larger. */
  readonly maxBytes: number
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
  /** As stored, possibly encrypted. */
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
  { busy, excluded, perWebhook, free, maxBytes, leaseSeconds }: Claim,
): Promise<readonly ClaimedDelivery[]> {
  const counts = [[...busy.keys()], [...busy.values()]]
  const values = [...counts, perWebhook, free, leaseSeconds, maxBytes, excluded]
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
