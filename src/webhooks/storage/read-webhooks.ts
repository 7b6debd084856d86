import type { TenantScope } from '../../access/tenant.ts'
import type { Webhook } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'
import { WEBHOOK_COLUMNS, webhookOf, type WebhookRow } from './webhook-row.ts'

/** The state of the deliveries of a webhook. */
const PROGRESS = `
  (select coalesce(sum(pending), 0) from webhook_queues where webhook_id = webhooks.id) as pending,
  probe_time`

const READ_WEBHOOK = {
  name: 'read_webhook',
  text: `
    select ${WEBHOOK_COLUMNS}, ${PROGRESS} from webhooks
    where id = $1::text and ($2::text is null or tenant = $2::text) and deleted_time is null`,
}

const LIST_WEBHOOKS = {
  name: 'list_webhooks',
  text: `
    select ${WEBHOOK_COLUMNS}, ${PROGRESS}, count(*) over () as total from webhooks
    where ($1::text is null or tenant = $1::text) and deleted_time is null
    order by id limit $2::integer offset $3::bigint`,
}

/** A webhook and the state of its deliveries. */
export interface FoundWebhook {
  readonly webhook: Webhook
  /** The number of pending deliveries. */
  readonly pending: number
  /** When the next probe may be sent; null if the circuit is closed. */
  readonly probeTime: Date | null
}

type Row = WebhookRow & { readonly pending: bigint | string; readonly probe_time: Date | null }

const foundOf = (row: Row): FoundWebhook => ({
  webhook: webhookOf(row),
  pending: Number(row.pending),
  probeTime: row.probe_time,
})

/** A webhook and its owner's scope. */
export interface WebhookKey {
  readonly id: string
  readonly tenant: TenantScope
}

/** Reads a webhook; null if it does not exist in the scope. */
export async function readWebhook(
  database: Database,
  { id, tenant }: WebhookKey,
): Promise<FoundWebhook | null> {
  const [row] = await database.execute<Row>(READ_WEBHOOK, [id, tenant])
  return row ? foundOf(row) : null
}

/** A page of webhooks in the order of their creation. */
export interface WebhookPage {
  readonly items: readonly FoundWebhook[]
  readonly total: number
}

/** Lists the webhooks of a scope. */
export async function listWebhooks(
  database: Database,
  tenant: TenantScope,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<WebhookPage> {
  const values = [tenant, limit, offset]
  const rows = await database.execute<Row & { readonly total: bigint }>(LIST_WEBHOOKS, values)
  const [first] = rows
  if (first) return { items: rows.map(foundOf), total: Number(first.total) }
  // A page beyond the last one has no row that could contain the total.
  const total = await database.withPrisma('count_webhooks', (prisma) =>
    prisma.webhook.count({ where: { deletedTime: null, ...(tenant !== null && { tenant }) } }),
  )
  return { items: [], total }
}
