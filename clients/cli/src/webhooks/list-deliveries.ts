import type { WebhookDelivery } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import { readFormat } from '../output/formats.ts'
import { type ListColumn, printList } from '../output/print-list.ts'
import type { Tone } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import { existing } from './existing.ts'
import { webhookId } from './webhook-id.ts'

/** The options of `flotilla webhook deliveries`. */
export interface DeliveriesOptions {
  readonly state?: WebhookDelivery['state'] | undefined
  readonly limit: number
  readonly output?: string | undefined
}

const TONES: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  pending: 'warning',
  delivered: 'good',
  dead: 'bad',
}

const COLUMNS: readonly ListColumn<WebhookDelivery>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'TYPE', cell: ({ type }) => type },
  { header: 'STATE', cell: ({ state }) => ({ text: state, tone: TONES[state] }) },
  { header: 'ATTEMPTS', rank: 3, cell: ({ attempts }) => String(attempts) },
  { header: 'AGE', rank: 1, cell: ({ created_time: created }, now) => age(created, now) },
  { header: 'STATUS', rank: 4, cell: ({ status_code: status }) => String(status ?? '-') },
  { header: 'ERROR', rank: 2, shrinksTo: 12, cell: ({ error }) => (error === '' ? '-' : error) },
  { header: 'NEXT ATTEMPT', rank: 6, wide: true, cell: ({ next_attempt_time: at }) => at ?? '-' },
  { header: 'RESOURCE', rank: 5, wide: true, cell: ({ resource_id: id }) => id ?? '-' },
]

/** Lists the deliveries of a webhook, newest first. */
export async function listDeliveries(
  session: Session,
  argument: string,
  options: DeliveriesOptions,
): Promise<void> {
  const { output, limit } = options
  const format = readFormat(output, ['wide', 'json', 'yaml', 'name', 'jsonpath'])
  const read = await existing(newest(session, webhookId(argument), options))
  await printList(session, format, {
    plural: 'deliveries',
    columns: COLUMNS,
    nameOf: ({ id }) => id,
    document: { kind: 'WebhookDeliveryList', items: read.slice(0, limit) },
  })
  if (read.length > limit) session.err.write('There are older deliveries: --limit shows more.\n')
}

/** The newest deliveries, and one more if there are older ones. */
async function newest(
  { client, signal }: Session,
  id: string,
  { state, limit }: DeliveriesOptions,
): Promise<readonly WebhookDelivery[]> {
  const read: WebhookDelivery[] = []
  for await (const one of client.webhooks.deliveries(id, { state, signal })) {
    if (read.push(one) > limit) break
  }
  return read
}
