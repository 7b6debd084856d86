import { STATUS_SUMMARIES } from '../status-records/summary-column.ts'
import type { Database } from '../database/database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { RESOURCE_COLUMNS } from './resource-row.ts'
import {
  type ResourceWithReports,
  resourceWithReportsOf,
  type ResourceWithReportsRow,
} from './resource-with-reports.ts'
import { TREE, treeValues } from './tree.ts'

const READ_TREE = {
  name: 'read_tree',
  text: `
    with ${TREE}
    select ${RESOURCE_COLUMNS}, ${STATUS_SUMMARIES}
    from tree join resources on id = node
    order by depth, id`,
}

/** Reads a resource and its descendants, parents before children; empty if it does not exist. */
export async function readTree(
  database: Database,
  key: ResourceKey,
): Promise<readonly ResourceWithReports[]> {
  if (!isStorableKey(key)) return []
  const rows = await database.execute<ResourceWithReportsRow>(READ_TREE, treeValues(key))
  return rows.map(resourceWithReportsOf)
}
