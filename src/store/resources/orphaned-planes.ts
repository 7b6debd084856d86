import type { Database } from '../database/database.ts'

const ORPHANED_PLANES = {
  name: 'orphaned_planes',
  text: `
    select plane from planes
    where plane <> $1::text and tenant_of_plane(plane) is null
      -- A removal that was interrupted has left objects.
      and (removed_time is null or exists (
        select 1 from objects where objects.plane = planes.plane))
      and not exists (select 1 from resources where resources.id = planes.plane)
    order by plane limit $2::integer`,
}

/** The IDs of planes whose resource has been removed, except for root planes. */
export async function orphanedPlanes(
  database: Database,
  ownPlane: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await database.execute<{ plane: string }>(ORPHANED_PLANES, [ownPlane, limit])
  return rows.map(({ plane }) => plane)
}
