import type { Webhook } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import { readFormat } from '../output/formats.ts'
import { type ListColumn, printList } from '../output/print-list.ts'
import type { Cell } from '../output/table.ts'
import type { Session } from '../session/session.ts'

const COLUMNS: readonly ListColumn<Webhook>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'URL', shrinksTo: 20, cell: ({ url }) => url ?? '-' },
  { header: 'STATE', cell: stateCell },
  { header: 'PENDING', rank: 1, cell: ({ pending_deliveries: pending }) => String(pending) },
  { header: 'KINDS', rank: 2, shrinksTo: 8, cell: ({ kinds }) => listText(kinds) },
  { header: 'AGE', rank: 3, cell: ({ created_time: created }, now) => age(created, now) },
  { header: 'EVENTS', rank: 5, wide: true, shrinksTo: 8, cell: ({ events }) => listText(events) },
  { header: 'SEARCH', rank: 4, wide: true, shrinksTo: 12, cell: ({ search }) => search || '-' },
]

/** Lists all webhooks. */
export async function listWebhooks(
  session: Session,
  { output }: { readonly output?: string | undefined },
): Promise<void> {
  const { client, signal } = session
  const format = readFormat(output, ['wide', 'json', 'yaml', 'name', 'jsonpath'])
  const items: Webhook[] = []
  for await (const webhook of client.webhooks.list({ signal })) items.push(webhook)
  await printList(session, format, {
    plural: 'webhooks',
    columns: COLUMNS,
    nameOf: ({ id }) => `webhook/${id}`,
    document: { kind: 'WebhookList', items },
  })
}

function stateCell({ state }: Webhook): Cell {
  const tone = { active: 'good', paused: 'warning', disabled: 'bad' } as const
  return { text: state, tone: tone[state] }
}

/** An empty list of a webhook selects everything. */
export function listText(values: readonly string[] = []): string {
  return values.length === 0 ? 'all' : values.join(',')
}
