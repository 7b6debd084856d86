import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'
import { type SeenPosition, seenValues } from './seen-position.ts'

const RENEW_EPOCH = {
  resources: { name: 'renew_epoch', text: 'select renew_epoch($1::text, $2::bigint)' },
  objects: {
    name: 'renew_object_epoch',
    text: 'select renew_object_epoch($1::text, $2::bigint)',
  },
}

/**
 * Begins a new epoch if the current one began in another database or on another timeline, because
 * revisions may be assigned again to other changes there. On a later timeline of a synchronous
 * database, the epoch continues if the log contains the position that this server has seen.
 * A new epoch of objects waits for running writes, whose revisions belong to the earlier one.
 */
export async function renewEpoch(
  database: Database,
  log: Log,
  seen: SeenPosition | null,
): Promise<void> {
  await database.execute(RENEW_EPOCH[log], seenValues(database, seen))
}
