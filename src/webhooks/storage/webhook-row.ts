import type { Webhook, WebhookEvent, WebhookState } from '../../store/model/webhook.ts'

/** The select list of a WebhookRow. */
export const WEBHOOK_COLUMNS = `
  id, tenant, url, description, kinds, search, events, state, disabled_reason,
  case when previous_secret_until > now() then previous_secret_until end as previous_secret_until,
  created_time, updated_time, created_by, updated_by`

export interface WebhookRow {
  readonly id: string
  readonly tenant: string
  readonly url: string
  readonly description: string
  readonly kinds: readonly string[]
  readonly search: string
  readonly events: readonly WebhookEvent[]
  readonly state: WebhookState
  readonly disabled_reason: string
  readonly previous_secret_until: Date | null
  readonly created_time: Date
  readonly updated_time: Date
  readonly created_by: string
  readonly updated_by: string
}

export function webhookOf(row: WebhookRow): Webhook {
  return {
    id: row.id,
    tenant: row.tenant,
    url: row.url,
    description: row.description,
    kinds: row.kinds,
    search: row.search,
    events: row.events,
    state: row.state,
    disabledReason: row.disabled_reason,
    urlProblem: '',
    previousSecretUntil: row.previous_secret_until,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
  }
}
