import type { ResourceKey } from './resource-key.ts'

/**
 * The common table expression `tree`: the ids (`member`) of a resource and of all below it, with
 * their depth. $1 to $4 are the values of `treeValues`.
 */
export const TREE = `recursive tree as (
      select id as member, 0 as depth from resources
      where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)
        and ($4::text is null or tenant = $4::text)
      union all
      select child.id, depth + 1
      from tree join resources as child on child.owner_id = member and child.owner_id <> ''
    )`

/** The parameters of TREE: the key of the root. */
export function treeValues({ id, kind, ownerId, tenant }: ResourceKey): readonly unknown[] {
  return [id, kind, ownerId ?? null, tenant ?? null]
}
