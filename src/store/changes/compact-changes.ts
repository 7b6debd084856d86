import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'

/** SQL condition: readers that began before the boundary was raised have had 30 s to finish. */
const GRACE = `compacted_time < now() - interval '30 seconds'`

/** The log may have gaps, so the next change is compared. */
const nextText = (position: string, changes: string): string => `
    select ${position} as position,
      written_time < now() - $2::integer * interval '1 second' as is_older
    from ${changes} where ${position} >= $1::bigint order by ${position} limit 1`

const NEXT_CHANGE = {
  resources: { name: 'next_change', text: nextText('revision', 'changes') },
  objects: { name: 'next_object_change', text: nextText('sequence', 'object_changes') },
}

const raiseText = (head: string): string => `
    update ${head} set compacted = $1::bigint, compacted_time = now()
    where compacted < $1::bigint and ${GRACE}`

const RAISE_COMPACTED = {
  resources: { name: 'raise_compacted', text: raiseText('head') },
  objects: { name: 'raise_objects_compacted', text: raiseText('object_head') },
}

const dropText = (position: string, changes: string, head: string): string => `
    with oldest as (
      select changes.${position} from ${changes} as changes, ${head}
      where changes.${position} <= compacted and ${GRACE}
      order by changes.${position} limit $1::integer
      for update of changes skip locked
    ), dropped as (
      delete from ${changes} as changes using oldest
      where changes.${position} = oldest.${position}
      returning 1
    )
    select count(*)::integer as dropped from dropped`

const DROP_CHANGES = {
  resources: { name: 'drop_changes', text: dropText('revision', 'changes', 'head') },
  objects: {
    name: 'drop_object_changes',
    text: dropText('sequence', 'object_changes', 'object_head'),
  },
}

interface NextChange {
  readonly position: bigint
  readonly is_older: boolean
}

/** The first change from a position on, if it is older than `seconds`; null otherwise. */
export async function nextOlder(
  database: Database,
  log: Log,
  { position, seconds }: { readonly position: bigint; readonly seconds: number },
): Promise<bigint | null> {
  const [next] = await database.execute<NextChange>(NEXT_CHANGE[log], [position, seconds])
  return next?.is_older === true ? next.position : null
}

/** Sets the boundary: readers must not rely on changes up to this revision. */
export async function raiseCompacted(
  database: Database,
  log: Log,
  revision: bigint,
): Promise<void> {
  await database.execute(RAISE_COMPACTED[log], [revision])
}

/**
 * Deletes the oldest changes beyond the grace period, at most `limit`, and returns their number.
 */
export async function dropChanges(database: Database, log: Log, limit: number): Promise<number> {
  const [row] = await database.execute<{ dropped: number }>(DROP_CHANGES[log], [limit])
  return row?.dropped ?? 0
}
