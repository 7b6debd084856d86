import type { Database } from '../database/database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { TREE, treeValues } from './tree.ts'

const LOCK_TREE = {
  name: 'lock_tree',
  text: `
    with ${TREE}
    select resources.id from tree join resources on resources.id = member
    order by depth, resources.id
    for update of resources`,
}

/** Locks a resource and all below it until the transaction ends, parents before their children. */
export async function lockTree(database: Database, key: ResourceKey): Promise<void> {
  if (!isStorableKey(key)) return
  await database.execute(LOCK_TREE, treeValues(key))
}
