import type { Database } from '../storage/database/database.ts'
import { dropEmptyQueues, dropFinished } from '../storage/webhooks/drop-finished.ts'

const BATCH_SIZE = 5000

/** The seconds for which finished deliveries are kept. */
export interface DeliveryRetention {
  readonly delivered: number
  readonly dead: number
}

/** Removes finished deliveries beyond their retention, and the queues of resources without events. */
export async function removeOldDeliveries(
  database: Database,
  retention: DeliveryRetention,
): Promise<void> {
  for (const state of ['delivered', 'dead'] as const) {
    const finished = { state, age: retention[state], limit: BATCH_SIZE }
    while ((await dropFinished(database, finished)) === BATCH_SIZE);
  }
  await dropEmptyQueues(database)
}
