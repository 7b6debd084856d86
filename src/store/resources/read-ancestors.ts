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
      select id as node, owner_id as parent_id, 0 as distance, true as is_deleted
      from resources where id = $1::text
      union all
      select parent.id, parent.owner_id, distance + 1, parent.deleted_time is not null
      from line join resources as parent on parent.id = parent_id
      where is_deleted
    )
    select ${RESOURCE_COLUMNS}, ${STATUS_SUMMARIES}
    from line join resources on id = node
    where distance > 0
    order by distance`,
}

/**
 * Reads the ancestors that are being deleted, nearest first, and the first that is not: callers
 * that rely on it must detect its deletion.
 */
export async function readAncestors(
  database: Database,
  id: string,
): Promise<readonly ResourceWithReports[]> {
  const rows = await database.execute<ResourceWithReportsRow>(READ_ANCESTORS, [id])
  return rows.map(resourceWithReportsOf)
}
