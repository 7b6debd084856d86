import type { Database } from '../../../database/database.ts'

/** The lock that `write_objects` takes first. A new epoch waits for the end of the transaction. */
const LOCK_OBJECT_EPOCH = {
  name: 'lock_object_epoch',
  text: 'select pg_advisory_xact_lock_shared(7305188024)',
}

/** Keeps the floor of revisions until the end of the transaction. */
export async function lockObjectEpoch(transaction: Database): Promise<void> {
  await transaction.execute(LOCK_OBJECT_EPOCH, [])
}
