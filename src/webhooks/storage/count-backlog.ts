import type { Database } from '../../store/database/database.ts'

const COUNT_BACKLOG = {
  name: 'count_webhook_backlog',
  text: `
    select webhooks.id, probe_time is not null as is_open, coalesce(sum(pending), 0) as pending
    from webhooks left join webhook_queues on webhook_id = webhooks.id and pending > 0
    where deleted_time is null
    group by webhooks.id`,
}

interface Row {
  readonly id: string
  readonly is_open: boolean
  readonly pending: bigint | string
}

/** The deliveries of all webhooks that are not finished. */
export interface WebhookBacklog {
  /** The number of pending deliveries by webhook. */
  readonly pending: ReadonlyMap<string, number>
  /** The number of webhooks whose circuit is open. */
  readonly openCircuits: number
}

/** Counts pending deliveries and open circuits. */
export async function countBacklog(database: Database): Promise<WebhookBacklog> {
  const rows = await database.execute<Row>(COUNT_BACKLOG, [])
  return {
    pending: new Map(rows.map(({ id, pending }) => [id, Number(pending)])),
    openCircuits: rows.filter(({ is_open: isOpen }) => isOpen).length,
  }
}
