import type { Webhook } from '../../../typescript/src/index.ts'
import { fieldLines } from '../describe/field-lines.ts'
import { age } from '../output/age.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import type { Session } from '../session/session.ts'
import { listText } from './list-webhooks.ts'
import { existing } from './existing.ts'
import { webhookId } from './webhook-id.ts'

/** Prints a webhook. */
export async function showWebhook(
  { client, signal, out, now }: Session,
  argument: string,
  { output }: { readonly output?: string | undefined },
): Promise<void> {
  const format = readFormat(output, ['json', 'yaml', 'jsonpath'])
  const webhook = await existing(client.webhooks.get(webhookId(argument), { signal }))
  if (format.name === 'json' || format.name === 'yaml' || format.name === 'jsonpath') {
    out.write(await objectText(format, webhook))
  } else out.write(`${fieldLines(fieldsOf(webhook, now()), out).join('\n')}\n`)
}

function fieldsOf(webhook: Webhook, now: Date): Readonly<Record<string, string | null>> {
  const { state, disabled_reason: disabled, description, search } = webhook
  const { created_time: created, created_by: creator, next_probe_time: probe } = webhook
  return {
    ID: webhook.id,
    URL: webhook.url ?? '-',
    Description: description || null,
    State: disabled === undefined ? state : `${state}: ${disabled}`,
    Circuit: probe === undefined ? null : `open: the receiver fails, the next probe is at ${probe}`,
    Kinds: listText(webhook.kinds),
    Search: search || null,
    Events: listText(webhook.events),
    Pending: String(webhook.pending_deliveries),
    Created: `${created} (${age(created, now)} ago) by ${creator}`,
    'Old secret': webhook.previous_secret_until ?? null,
  }
}
