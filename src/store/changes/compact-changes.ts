import type { Database } from '../database/database.ts'

/** SQL condition: readers that began before the boundary was raised have had 30 s to finish. */
const GRACE = `compacted_time < now() - interval '30 seconds'`

const IS_OLDER = {
  name: 'is_older',
  text: `
    select written_time < now() - $2::integer * interval '1 second' as older
    from changes where revision = $1::bigint`,
}

const RAISE_COMPACTED = {
  name: 'raise_compacted',
  text: `
    update head set compacted = $1::bigint, compacted_time = now()
    where compacted < $1::bigint and ${GRACE}`,
}

const DROP_CHANGES = {
  name: 'drop_changes',
  text: `
    with oldest as (
      select changes.revision from changes, head
      where changes.revision <= compacted and ${GRACE}
      order by changes.revision limit $1::integer
      for update of changes skip locked
    ), dropped as (
      delete from changes using oldest where changes.revision = oldest.revision
      returning changes.revision
    )
    select count(*)::integer as dropped from dropped`,
}

/** Whether the change of this revision is older than `seconds`, or no longer in the log. */
export async function isOlderChange(
  database: Database,
  revision: bigint,
  seconds: number,
): Promise<boolean> {
  const [row] = await database.execute<{ older: boolean }>(IS_OLDER, [revision, seconds])
  return row?.older ?? true
}

/** Sets the boundary: readers must not rely on changes up to this revision. */
export async function raiseCompacted(database: Database, revision: bigint): Promise<void> {
  await database.execute(RAISE_COMPACTED, [revision])
}

/**
 * Deletes the oldest changes beyond the grace period, at most `limit`, and returns their number.
 */
export async function dropChanges(database: Database, limit: number): Promise<number> {
  const [row] = await database.execute<{ dropped: number }>(DROP_CHANGES, [limit])
  return row?.dropped ?? 0
}
