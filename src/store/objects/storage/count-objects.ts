import type { Database } from '../../database/database.ts'

const COUNT_OBJECTS = {
  name: 'count_objects',
  text: `
    select count(objects.name)::integer as count
    from unnest($2::text[], $3::text[]) with ordinality as wanted (resource, namespace, position)
    left join objects on objects.plane = $1::text and objects.resource = wanted.resource
      and objects.namespace = wanted.namespace and not objects.is_tombstone
    group by wanted.position
    order by wanted.position`,
}

/** The objects of a resource in a namespace. */
export interface CountedObjects {
  readonly resource: string
  readonly namespace: string
}

/**
 * Counts stored objects, in the order of the input. Objects that every plane has from the start count
 * after their first change, as for the limit of a create.
 */
export async function countObjects(
  database: Database,
  plane: string,
  wanted: readonly CountedObjects[],
): Promise<readonly number[]> {
  if (wanted.length === 0) return []
  const rows = await database.execute<{ readonly count: number }>(COUNT_OBJECTS, [
    plane,
    wanted.map(({ resource }) => resource),
    wanted.map(({ namespace }) => namespace),
  ])
  return rows.map(({ count }) => count)
}
