import type { Database } from '../../storage/database/database.ts'
import type { Sequenced } from '../../storage/changes/sequence-changes.ts'

const SEQUENCE_OBJECTS = {
  name: 'sequence_objects',
  text: `
    select moved, epoch, sequence as revision, pg_backend_pid() as pid
    from sequence_objects($1::integer)`,
}

/**
 * Moves the oldest changes of objects, at most `limit`, from the outbox to the log. Returns null if
 * another session holds the lock.
 */
export async function sequenceObjects(
  database: Database,
  limit: number,
): Promise<Sequenced | null> {
  return (await database.execute<Sequenced>(SEQUENCE_OBJECTS, [limit]))[0] ?? null
}
