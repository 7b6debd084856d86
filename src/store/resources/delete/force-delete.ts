import type { Resource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type Removal, removalValues } from './remove-resources.ts'
import { unlessCollision } from '../../database/unless-collision.ts'

/**
 * Records the reason and removes the resources in one statement. Of two concurrent ones, one fails.
 */
const FORCE_DELETE = {
  name: 'force_delete',
  text: `
    with recorded as (
      insert into force_deletions (
        id, kind, name, owner_id, removed, reason, forced_by, forced_time, tenant)
      values ($6::text, $7::text, $8::text, $9::text, $10::jsonb, $11::text, $12::text,
        $13::timestamptz, $14::text)
      on conflict (id) do nothing
    )
    select remove_resources(
      $1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::boolean[]) as removed`,
}

export interface ForcedRemoval extends Removal {
  readonly root: Resource
  readonly reason: string
  readonly actor: string
  readonly now: Date
}

/** Removes a resource and its descendants. Returns false if one has changed since it was read. */
export async function forceDelete(database: Database, forced: ForcedRemoval): Promise<boolean> {
  const { root, removed, reason, actor, now } = forced
  const descendants = removed.filter(({ id }) => id !== root.id).map(({ id }) => id)
  const values = [
    ...removalValues(forced),
    root.id,
    root.kind,
    root.name,
    root.ownerId,
    JSON.stringify(descendants),
    reason,
    actor,
    now,
    root.tenant,
  ]
  return unlessCollision(async () => {
    await database.execute(FORCE_DELETE, values)
    return true
  }, false)
}
