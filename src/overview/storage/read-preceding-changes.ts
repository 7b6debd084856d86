import type { Database } from '../../store/database/database.ts'
import type { JsonObject } from '../../lib/json/json.ts'

/** The last declaration of a resource before a time. */
export interface PrecedingChange {
  readonly resource_id: string
  readonly name: string
  readonly time: Date
  readonly type: 'created' | 'updated'
  readonly author: string
  readonly generation: number
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

/** Times of conditions are text: those that are no times find no change. */
const READ_PRECEDING_CHANGES = {
  name: 'read_preceding_changes',
  text: `
    select found.* from unnest($1::text[], $2::timestamptz[]) as wanted (id, time)
    cross join lateral (
      select resource_id, name, time, type, author, generation, before, after
      from resource_history
      where resource_id = wanted.id and type in ('created', 'updated')
        and resource_history.time <= wanted.time
      order by resource_history.time desc, revision desc limit 1
    ) as found`,
}

/** Reads the last creation or update of each resource until a time, from the history. */
export async function readPrecedingChanges(
  database: Database,
  wanted: readonly { readonly id: string; readonly time: Date }[],
): Promise<readonly PrecedingChange[]> {
  if (wanted.length === 0) return []
  const ids = wanted.map(({ id }) => id)
  const times = wanted.map(({ time }) => time)
  return database.execute<PrecedingChange>(READ_PRECEDING_CHANGES, [ids, times])
}
