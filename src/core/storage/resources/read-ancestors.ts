import { STATUS_SUMMARIES } from '../status-records/summary-column.ts'
import type { Database } from '../database/database.ts'
import { RESOURCE_COLUMNS } from './resource-row.ts'
import {
  type ResourceWithReports,
  resourceWithReportsOf,
  type ResourceWithReportsRow,
} from './resource-with-reports.ts'

const READ_ANCESTORS = {
  name: 'read_ancestors',
  text: `
    with recursive line as (
      select id as member, owner_id as above, 0 as distance, true as deleting
      from resources where id = $1::text
      union all
      select parent.id, parent.owner_id, distance + 1, parent.deleted_time is not null
      from line join resources as parent on parent.id = above
      where deleting
    )
    select ${RESOURCE_COLUMNS}, ${STATUS_SUMMARIES}
    from line join resources on id = member
    where distance > 0
    order by distance`,
}

/**
 * The ancestors that are being deleted, the parent first, and the first that is not: whoever
 * relies on its being live must notice its deletion.
 */
export async function readAncestors(
  database: Database,
  id: string,
): Promise<readonly ResourceWithReports[]> {
  const rows = await database.execute<ResourceWithReportsRow>(READ_ANCESTORS, [id])
  return rows.map(resourceWithReportsOf)
}
