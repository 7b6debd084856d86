import type { WebhookEventName } from '../../../typescript/src/index.ts'
import { readFormat } from '../output/formats.ts'
import type { Session } from '../session/session.ts'
import { printSecret } from './print-secret.ts'
import { webhookKinds } from './webhook-kinds.ts'

/** The options of `flotilla webhook create`. */
export interface CreateWebhookOptions {
  readonly kind?: readonly string[] | undefined
  readonly search?: string | undefined
  readonly event?: readonly WebhookEventName[] | undefined
  readonly description?: string | undefined
  readonly output?: string | undefined
}

/** Creates a webhook. Only this response contains its secret. */
export async function createWebhook(
  session: Session,
  url: string,
  { kind = [], search, event, description, output }: CreateWebhookOptions,
): Promise<void> {
  const { client, signal } = session
  const format = readFormat(output, ['json', 'yaml', 'name', 'jsonpath'])
  const kinds = await webhookKinds(session, kind)
  const webhook = await client.webhooks.create(
    { url, kinds, search, events: event, description },
    { signal },
  )
  await printSecret(session, webhook, { format, result: 'created' })
}
