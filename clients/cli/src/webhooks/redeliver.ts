import type { Session } from '../session/session.ts'
import { existing } from './existing.ts'
import { webhookId } from './webhook-id.ts'

/** The server sends at most this number of dead letters again with one request. */
const MAX_PER_REQUEST = 1000

/** Sends dead letters again: those with IDs, or all without. */
export async function redeliver(
  session: Session,
  argument: string,
  deliveries: readonly string[],
): Promise<void> {
  const { client, signal, out } = session
  const id = webhookId(argument)
  for (const delivery of deliveries) {
    await existing(client.webhooks.redeliver(id, delivery, { signal }))
  }
  const count = deliveries.length === 0 ? await redeliverAll(session, id) : deliveries.length
  const letters = count === 1 ? 'dead letter is' : 'dead letters are'
  out.write(`webhook/${id}: ${count} ${letters} sent again\n`)
}

async function redeliverAll({ client, signal }: Session, id: string): Promise<number> {
  let total = 0
  for (let count = MAX_PER_REQUEST; count === MAX_PER_REQUEST; total += count) {
    count = await existing(client.webhooks.redeliverAll(id, { signal }))
  }
  return total
}
