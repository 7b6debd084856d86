import { ADAPTER_STATES } from './adapter-state-column.ts'
import type { Database } from './database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { RESOURCE_COLUMNS } from './resource-row.ts'
import { type Standing, standingOf, type StandingRow } from './standing.ts'

const READ_TREE = {
  name: 'read_tree',
  text: `
    with recursive tree as (
      select id as member, 0 as depth from resources
      where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)
      union all
      select child.id, depth + 1 from tree join resources as child on child.owner_id = member and child.owner_id <> ''
    )
    select ${RESOURCE_COLUMNS}, ${ADAPTER_STATES}
    from tree join resources on id = member
    order by depth, id`,
}

/** A resource and all below it, parents before their children; empty where there is none. */
export async function readTree(database: Database, key: ResourceKey): Promise<readonly Standing[]> {
  if (!isStorableKey(key)) return []
  const values = [key.id, key.kind, key.ownerId ?? null]
  const rows = await database.execute<StandingRow>(READ_TREE, values)
  return rows.map(standingOf)
}
