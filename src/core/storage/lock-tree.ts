import type { Database } from './database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'

const LOCK_TREE = {
  name: 'lock_tree',
  text: `
    with recursive tree as (
      select id as member, 0 as depth from resources
      where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)
      union all
      select child.id, depth + 1
      from tree join resources as child on child.owner_id = member and child.owner_id <> ''
    )
    select resources.id from tree join resources on resources.id = member
    order by depth, resources.id
    for update of resources`,
}

/** Locks a resource and all below it until the transaction ends, parents before their children. */
export async function lockTree(database: Database, key: ResourceKey): Promise<void> {
  if (!isStorableKey(key)) return
  await database.execute(LOCK_TREE, [key.id, key.kind, key.ownerId ?? null])
}
