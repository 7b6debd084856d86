import type { ReportedResource } from '../../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { unlessCollision } from '../../database/unless-collision.ts'

const REMOVE_RESOURCES = {
  name: 'remove_resources',
  text: `
    select remove_resources(
      $1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::boolean[]) as removed`,
}

const HAS_CHILD = { name: 'has_child', text: 'select has_child($1::text) as found' }

/** An ancestor that is being deleted; where it is finished, the loss of its last child ends it. */
export interface Ancestor {
  readonly resource: ReportedResource
  readonly finished: boolean
}

/** What goes, each at the version at which it was read. */
export interface Removal {
  /** They and their reports go; nothing below them may stay. */
  readonly doomed: readonly ReportedResource[]
  /** The nearest first; those that are finished and have no child left go too. */
  readonly ancestors: readonly Ancestor[]
}

/** Removes resources for good; false where something has changed since it was read. */
export async function removeResources(database: Database, removal: Removal): Promise<boolean> {
  return unlessCollision(async () => {
    await database.execute(REMOVE_RESOURCES, removalValues(removal))
    return true
  }, false)
}

/** The five parameters of the function `remove_resources`. */
export function removalValues({ doomed, ancestors }: Removal): readonly unknown[] {
  return [
    doomed.map(({ id }) => id),
    doomed.map(({ version }) => version),
    ancestors.map(({ resource }) => resource.id),
    ancestors.map(({ resource }) => resource.version),
    ancestors.map(({ finished }) => finished),
  ]
}

/** Whether a resource has a child of any kind, being deleted or not. */
export async function hasChild(database: Database, id: string): Promise<boolean> {
  const rows = await database.execute<{ found: boolean }>(HAS_CHILD, [id])
  return rows[0]?.found === true
}
