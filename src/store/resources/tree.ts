import type { Database } from '../database/database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'

/**
 * The common table expression `tree`: the ids (`node`) of a resource and its descendants, with
 * their depth. $1 to $4 are the values of `treeValues`.
 */
export const TREE = `recursive tree as (
      select id as node, 0 as depth from resources
      where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)
        and ($4::text is null or tenant = $4::text)
      union all
      select child.id, depth + 1
      from tree join resources as child on child.owner_id = node and child.owner_id <> ''
    )`

/** The parameters of TREE: the key of the root. */
export function treeValues({ id, kind, ownerId, tenant }: ResourceKey): readonly unknown[] {
  return [id, kind, ownerId ?? null, tenant ?? null]
}

const LOCK_TREE = {
  name: 'lock_tree',
  text: `
    with ${TREE}
    select resources.id from tree join resources on resources.id = node
    order by depth, resources.id
    for update of resources`,
}

/** Locks a resource and its descendants until the transaction ends, parents before children. */
export async function lockTree(database: Database, key: ResourceKey): Promise<void> {
  if (!isStorableKey(key)) return
  await database.execute(LOCK_TREE, treeValues(key))
}
