import type { Database } from '../store/database/database.ts'
import { dropRowsOfWebhook, dropWebhook, readDeletedWebhooks } from './storage/drop-deleted.ts'
import { dropEmptyQueues, dropFinished } from './storage/drop-finished.ts'

const BATCH_SIZE = 5000

/** The seconds for which finished deliveries are kept. */
export interface DeliveryRetention {
  readonly delivered: number
  readonly dead: number
}

/**
 * Removes the rows of deleted webhooks, finished deliveries beyond their retention, and the queues of
 * resources without events.
 */
export async function removeOldDeliveries(
  database: Database,
  retention: DeliveryRetention,
): Promise<void> {
  for (const webhookId of await readDeletedWebhooks(database)) {
    for (const table of ['deliveries', 'queues'] as const) {
      const rows = { webhookId, table, limit: BATCH_SIZE }
      while ((await dropRowsOfWebhook(database, rows)) === BATCH_SIZE);
    }
    await dropWebhook(database, webhookId)
  }
  for (const state of ['delivered', 'dead'] as const) {
    const finished = { state, age: retention[state], limit: BATCH_SIZE }
    while ((await dropFinished(database, finished)) === BATCH_SIZE);
  }
  await dropEmptyQueues(database)
}
