import type { TenantScope } from '../../access/tenant.ts'
import type { Database } from '../database/database.ts'
import { isStorableText } from '../database/storable-text.ts'
import { STATUS_SUMMARIES } from '../status-records/summary-column.ts'
import { RESOURCE_COLUMNS } from './resource-row.ts'
import {
  type ResourceWithReports,
  resourceWithReportsOf,
  type ResourceWithReportsRow,
} from './resource-with-reports.ts'

/** The ids (`node`) of the roots and their descendants, each with its root and its depth. */
const TREES = `recursive tree as (
      select id as root, id as node, 0 as depth from resources
      where id = any($1::text[]) and kind = $2::text and ($3::text is null or tenant = $3::text)
      union all
      select root, child.id, depth + 1
      from tree join resources as child on child.owner_id = node and child.owner_id <> ''
    )`

const LOCK_TREES = {
  name: 'lock_trees',
  text: `
    with ${TREES}
    select resources.id from tree join resources on resources.id = node
    order by depth, resources.id
    for update of resources`,
}

const READ_TREES = {
  name: 'read_trees',
  text: `
    with ${TREES}
    select root, ${RESOURCE_COLUMNS}, ${STATUS_SUMMARIES}
    from tree join resources on id = node
    order by depth, id`,
}

/** A resource and its descendants, parents before children. */
export type Tree = readonly [ResourceWithReports, ...ResourceWithReports[]]

/** The roots to read. A null tenant selects all tenants. */
export interface TreeRoots {
  readonly kind: string
  readonly tenant: TenantScope
  readonly ids: readonly string[]
}

/** Locks the trees of many roots until the transaction ends, parents before children. */
export async function lockTrees(database: Database, roots: TreeRoots): Promise<void> {
  await database.execute(LOCK_TREES, treeRootValues(roots))
}

/** Reads the trees of many roots in one statement, by id; without those that do not exist. */
export async function readTrees(
  database: Database,
  roots: TreeRoots,
): Promise<ReadonlyMap<string, Tree>> {
  const rows = await database.execute<ResourceWithReportsRow & { root: string }>(
    READ_TREES,
    treeRootValues(roots),
  )
  const trees = new Map<string, [ResourceWithReports, ...ResourceWithReports[]]>()
  for (const row of rows) {
    const entry = resourceWithReportsOf(row)
    const tree = trees.get(row.root)
    if (tree) tree.push(entry)
    else trees.set(row.root, [entry])
  }
  return trees
}

function treeRootValues({ kind, tenant, ids }: TreeRoots): readonly unknown[] {
  return [ids.filter(isStorableText), kind, tenant]
}
