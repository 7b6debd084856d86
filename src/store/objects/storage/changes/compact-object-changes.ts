import type { Database } from '../../../database/database.ts'

/** Locks the planes in order, so that two processes cannot deadlock. */
const RAISE_PLANES = {
  name: 'raise_planes',
  text: `
    with dropped as materialized (
      select plane, max(revision) as revision from object_changes
      where sequence > $1::bigint and sequence <= $2::bigint
      group by plane
    ), locked as materialized (
      select planes.plane, dropped.revision
      from planes join dropped on dropped.plane = planes.plane
      where planes.compacted < dropped.revision
      order by planes.plane for update of planes
    )
    update planes set compacted = greatest(planes.compacted, locked.revision)
    from locked where planes.plane = locked.plane`,
}

/** Planes exceed their limit by a tenth before they are cut, so that few rounds have work. */
const CUT_PLANES = {
  name: 'cut_planes',
  text: `
    update planes set compacted = planes.revision - $1::bigint
    from object_head
    where planes.revision - greatest(planes.compacted, object_head.floor)
      > $1::bigint + $1::bigint / 10
    returning planes.plane, planes.compacted`,
}

const DROP_PLANE_CHANGES = {
  name: 'drop_plane_changes',
  text: `
    with oldest as (
      select sequence from object_changes
      where plane = $1::text and revision <= $2::bigint and type <> 'REMOVED'
      order by revision limit $3::integer
      for update skip locked
    ), dropped as (
      delete from object_changes using oldest where object_changes.sequence = oldest.sequence
      returning 1
    )
    select count(*)::integer as dropped from dropped`,
}

/** Announces that the changes in a range of the log will be dropped, to the followers of planes. */
export async function raisePlanes(database: Database, after: bigint, to: bigint): Promise<void> {
  await database.execute(RAISE_PLANES, [after, to])
}

interface Dropped {
  readonly dropped: number
}

/** A plane and the revision up to which its changes are to be dropped. */
export interface CutPlane {
  readonly plane: string
  readonly compacted: bigint
}

/** Announces the boundary of each plane that has more than `limit` changes in the log. */
export async function cutPlanes(database: Database, limit: number): Promise<readonly CutPlane[]> {
  return database.execute<CutPlane>(CUT_PLANES, [limit])
}

/** Deletes the oldest changes of a plane, at most `limit`, and returns their number. */
export async function dropPlaneChanges(
  database: Database,
  { plane, compacted }: CutPlane,
  limit: number,
): Promise<number> {
  const [row] = await database.execute<Dropped>(DROP_PLANE_CHANGES, [plane, compacted, limit])
  return row?.dropped ?? 0
}
