import type { Database } from '../../../database/database.ts'
import { type SeenPosition, seenValues } from '../../../changes/seen-position.ts'
import type { Sequenced } from '../../../changes/sequence-changes.ts'

const SEQUENCE_OBJECTS = {
  name: 'sequence_objects',
  text: `
    select moved, epoch, sequence as revision, pg_backend_pid() as pid
    from sequence_objects($1::integer, $2::text, $3::bigint)`,
}

/**
 * Moves the oldest changes of objects, at most `limit`, from the outbox to the log. Returns null if
 * another session holds the lock. Renews the epoch first, as `renewObjectEpoch` does.
 */
export async function sequenceObjects(
  database: Database,
  limit: number,
  seen: SeenPosition | null = null,
): Promise<Sequenced | null> {
  const values = [limit, ...seenValues(database, seen)]
  return (await database.execute<Sequenced>(SEQUENCE_OBJECTS, values))[0] ?? null
}
