import type { Database } from '../../database/database.ts'

/** One snapshot: a change is in the outbox or in the log. */
const UNCHANGED_SINCE = {
  name: 'unchanged_since',
  text: `
    select version from resources
    where id = $1::text
      and $2::bigint >= (select compacted from head)
      and not exists (select 1 from outbox where resource_id = $1::text and adapter = '')
      and not exists (
        select 1 from changes
        where revision > $2::bigint and resource_id = $1::text and adapter = '')`,
}

/**
 * The version of a resource that has not changed since a revision of the log; null if it has a newer
 * change, does not exist, or if the log no longer reaches back to the revision.
 */
export async function unchangedSince(
  database: Database,
  id: string,
  revision: bigint,
): Promise<bigint | null> {
  const rows = await database.execute<{ version: bigint }>(UNCHANGED_SINCE, [id, revision])
  return rows[0]?.version ?? null
}
