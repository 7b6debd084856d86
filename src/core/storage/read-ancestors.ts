import { ADAPTER_STATES } from './adapter-state-column.ts'
import type { Database } from './database.ts'
import { RESOURCE_COLUMNS } from './resource-row.ts'
import { type Standing, standingOf, type StandingRow } from './standing.ts'

const READ_ANCESTORS = {
  name: 'read_ancestors',
  text: `
    with recursive line as (
      select id as member, owner_id as above, 0 as distance from resources where id = $1::text
      union all
      select parent.id, parent.owner_id, distance + 1
      from line join resources as parent on parent.id = above
      where parent.deleted_time is not null
    )
    select ${RESOURCE_COLUMNS}, ${ADAPTER_STATES}
    from line join resources on id = member
    where distance > 0
    order by distance`,
}

/** The ancestors that are being deleted, the parent first, up to the first that is not. */
export async function readAncestors(database: Database, id: string): Promise<readonly Standing[]> {
  const rows = await database.execute<StandingRow>(READ_ANCESTORS, [id])
  return rows.map(standingOf)
}
