import type { Database } from '../../store/database/database.ts'

/**
 * Dead deliveries become pending, with all attempts before them. The webhook is locked first, as by
 * its deletion. They precede later events of their resource, so a queue that waits for its next attempt
 * is due now. A due time within a lease may be the end of a request in flight, and stays.
 */
const REDELIVER = {
  name: 'redeliver_dead_letters',
  text: `
    with webhook as (
      select id from webhooks where id = $1::text and deleted_time is null for key share
    ), chosen as (
      select seq, webhook_id, resource_id from webhook_deliveries
      where webhook_id = (select id from webhook) and state = 'dead'
        and ($2::bigint is null or seq = $2::bigint and epoch = $3::text)
      order by seq limit $4::integer for update skip locked
    ), queued as (
      insert into webhook_queues (webhook_id, resource_id, pending, due_time)
      select webhook_id, resource_id, count(*), now() from chosen
      group by webhook_id, resource_id order by webhook_id, resource_id
      on conflict (webhook_id, resource_id) do update set
        pending = webhook_queues.pending + excluded.pending,
        due_time = case
          when webhook_queues.due_time > now() + make_interval(secs => $5::integer)
          then now() else webhook_queues.due_time end
    ), revived as (
      update webhook_deliveries set state = 'pending', attempts = 0
      from chosen where webhook_deliveries.seq = chosen.seq
      returning webhook_deliveries.seq
    )
    select count(*)::integer as count from revived`,
}

interface Choice {
  readonly webhookId: string
  /** Null for all dead deliveries of the webhook. */
  readonly message: { readonly epoch: string; readonly seq: bigint } | null
  readonly limit: number
  /** The longest lease of a request in flight. */
  readonly leaseSeconds: number
}

/** Queues dead deliveries again, the oldest first. Returns their number. */
export async function redeliver(
  database: Database,
  { webhookId, message, limit, leaseSeconds }: Choice,
): Promise<number> {
  const values = [webhookId, message?.seq ?? null, message?.epoch ?? null, limit, leaseSeconds]
  const [row] = await database.execute<{ count: number }>(REDELIVER, values)
  return row?.count ?? 0
}
