import type { Resource } from '../../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type Removal, removalValues } from './remove-resources.ts'
import { conditionMap } from '../resource-row.ts'
import { unlessCollision } from '../../database/unless-collision.ts'

/**
 * Marks the kept ($1 to $5, parents before their children, which is the order of the locks) and
 * removes the doomed ($9 to $13), which locks them. Only then, under all its locks, it looks again at
 * what a concurrent write may have added to the tree ($8): a child, or a reference ($14) to one of
 * its members.
 */
const DELETE_RESOURCES = {
  name: 'delete_resources',
  text: `
    with kept as (
      select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::text[], $5::text[])
        with ordinality as kept (id, version, generation, conditions, cond, place)
    ), locked as materialized (
      select resources.id from resources join kept using (id) order by place for update of resources
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
  /** Each as it was read and as it is to be; parents before their children. */
  readonly kept: readonly { readonly before: Resource; readonly after: Resource }[]
  /** Ids of the resource and of all below it. */
  readonly tree: readonly string[]
  /** `{type: [id]}` of every reference that nothing outside of the tree may have. */
  readonly referencePatterns: readonly string[]
  /** Ids of those that are kept for their children alone: each must still have one. */
  readonly awaitingChildren: readonly string[]
  readonly now: Date
  readonly actor: string
}

/** Deletes a resource with all below it; false where something has changed since it was read. */
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
