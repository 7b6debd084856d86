import sql, { type Sql } from 'sql-template-tag'
import type { WorkQueue } from './work-queue.ts'

/**
 * The version of the queue's row in the snapshot of the statement. A statement that waited for the
 * lock of the row gets a newer version, but does not see the rows that the earlier statement has
 * added to the queue in the meantime. It must not replace them: they may be leased already.
 */
export function seenVersion({ adapter, kind }: WorkQueue): Sql {
  return sql`(select xmin from adapter_queues
        where adapter = ${adapter}::text and kind = ${kind}::text)`
}
