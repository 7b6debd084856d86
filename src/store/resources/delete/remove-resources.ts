import type { ReportedResource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { unlessCollision } from '../../database/unless-collision.ts'

const REMOVE_RESOURCES = {
  name: 'remove_resources',
  text: `
    select remove_resources(
      $1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::boolean[]) as removed`,
}

const HAS_CHILD = { name: 'has_child', text: 'select has_child($1::text) as found' }

/** An ancestor that is being deleted. If it is finished, it is removed with its last child. */
export interface Ancestor {
  readonly resource: ReportedResource
  readonly finished: boolean
}

/** The resources to remove, each with the version that was read. */
export interface Removal {
  /** Removed with their reports; they must include all their descendants. */
  readonly removed: readonly ReportedResource[]
  /** Nearest first. Finished ones without remaining children are removed too. */
  readonly ancestors: readonly Ancestor[]
}

/** Removes resources permanently. Returns false if one has changed since it was read. */
export async function removeResources(database: Database, removal: Removal): Promise<boolean> {
  return unlessCollision(async () => {
    await database.execute(REMOVE_RESOURCES, removalValues(removal))
    return true
  }, false)
}

/** The parameters of the function `remove_resources`. */
export function removalValues({ removed, ancestors }: Removal): readonly unknown[] {
  return [
    removed.map(({ id }) => id),
    removed.map(({ version }) => version),
    ancestors.map(({ resource }) => resource.id),
    ancestors.map(({ resource }) => resource.version),
    ancestors.map(({ finished }) => finished),
  ]
}

/** Whether a resource has a child of any kind, including children that are being deleted. */
export async function hasChild(database: Database, id: string): Promise<boolean> {
  const rows = await database.execute<{ found: boolean }>(HAS_CHILD, [id])
  return rows[0]?.found === true
}
