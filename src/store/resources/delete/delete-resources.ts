import type { Resource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type Removal, removalValues } from './remove-resources.ts'
import { conditionMap } from '../resource-row.ts'
import { unlessCollision } from '../../database/unless-collision.ts'

/**
 * Marks the kept resources as deleted ($1 to $5, parents before children, which is the lock order),
 * and deletes the removed ones ($9 to $13), which locks them. Then, with all rows locked, it checks
 * for concurrent writes that added a child or a reference ($14) to the tree ($8).
 */
const DELETE_RESOURCES = {
  name: 'delete_resources',
  text: `
    with kept as (
      select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::text[], $5::text[])
        with ordinality as kept (id, version, generation, conditions, cond, position)
    ), locked as materialized (
      select resources.id from resources join kept using (id)
      order by kept.position for update of resources
    ), marked as (
      update resources set
        generation = kept.generation,
        version = kept.version + 1,
        conditions = kept.conditions::json,
        cond = kept.cond::jsonb,
        updated_time = $6::timestamptz,
        updated_by = $7::text,
        deleted_time = $6::timestamptz,
        deleted_by = $7::text
      from kept join locked using (id)
      where resources.id = kept.id and resources.version = kept.version
      returning resources.id
    )
    select case
      when (select count(*) from marked) < cardinality($1::text[]) then serialization_conflict()
      when cardinality($9::text[]) > 0 and remove_resources(
        $9::text[], $10::bigint[], $11::text[], $12::bigint[], $13::boolean[]) is null
        then serialization_conflict()
      when has_unknown_child($8::text[], $8::text[]) then serialization_conflict()
      when cardinality($14::jsonb[]) > 0 and has_unknown_reference($14::jsonb[], $8::text[])
        then serialization_conflict()
      when exists (select 1 from unnest($15::text[]) as kept_for_child (id) where not has_child(id))
        then serialization_conflict()
      else true
    end as done`,
}

export interface Deletion extends Removal {
  /** The resources that stay, as read and as they will be; parents before children. */
  readonly kept: readonly { readonly before: Resource; readonly after: Resource }[]
  /** Ids of the resource and its descendants. */
  readonly tree: readonly string[]
  /** The references that no resource outside of the tree may have, each as `{type: [id]}`. */
  readonly referencePatterns: readonly string[]
  /** Ids of resources that stay only because they have children; each must still have one. */
  readonly awaitingChildren: readonly string[]
  readonly now: Date
  readonly actor: string
}

/** Deletes a resource and its descendants. Returns false if one has changed since it was read. */
export async function deleteResources(database: Database, deletion: Deletion): Promise<boolean> {
  const { kept, tree, referencePatterns, awaitingChildren, now, actor } = deletion
  const values = [
    kept.map(({ before }) => before.id),
    kept.map(({ before }) => before.version),
    kept.map(({ after }) => after.generation),
    kept.map(({ after }) => JSON.stringify(after.conditions)),
    kept.map(({ after }) => JSON.stringify(conditionMap(after.conditions))),
    now,
    actor,
    tree,
    ...removalValues(deletion),
    referencePatterns,
    awaitingChildren,
  ]
  return unlessCollision(async () => {
    await database.execute(DELETE_RESOURCES, values)
    return true
  }, false)
}
