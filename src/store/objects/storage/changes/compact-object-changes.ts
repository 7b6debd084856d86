import type { Database } from '../../../database/database.ts'

/** SQL condition: readers that began before the boundary was raised have had 30 s to finish. */
const GRACE = `compacted_time < now() - interval '30 seconds'`

/** The log has gaps after one plane has exceeded its limit, so the next change is compared. */
const NEXT_CHANGE = {
  name: 'next_object_change',
  text: `
    select sequence, written_time < now() - $2::integer * interval '1 second' as is_older
    from object_changes where sequence >= $1::bigint order by sequence limit 1`,
}

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

const RAISE_OBJECTS_COMPACTED = {
  name: 'raise_objects_compacted',
  text: `
    update object_head set compacted = $1::bigint, compacted_time = now()
    where compacted < $1::bigint and ${GRACE}`,
}

const DROP_OBJECT_CHANGES = {
  name: 'drop_object_changes',
  text: `
    with oldest as (
      select object_changes.sequence from object_changes, object_head
      where object_changes.sequence <= compacted and ${GRACE}
      order by object_changes.sequence limit $1::integer
      for update of object_changes skip locked
    ), dropped as (
      delete from object_changes using oldest where object_changes.sequence = oldest.sequence
      returning 1
    )
    select count(*)::integer as dropped from dropped`,
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

/** The first change from a sequence on. */
interface NextChange {
  readonly sequence: bigint
  readonly is_older: boolean
}

/** The first change from a sequence on, and whether it is older than `seconds`; null if none. */
export async function nextObjectChange(
  database: Database,
  sequence: bigint,
  seconds: number,
): Promise<NextChange | null> {
  return (await database.execute<NextChange>(NEXT_CHANGE, [sequence, seconds]))[0] ?? null
}

/** Announces that the changes in a range of the log will be dropped, to the followers of planes. */
export async function raisePlanes(database: Database, after: bigint, to: bigint): Promise<void> {
  await database.execute(RAISE_PLANES, [after, to])
}

/** Announces that the changes up to this sequence will be dropped, to readers of the whole log. */
export async function raiseObjectsCompacted(database: Database, sequence: bigint): Promise<void> {
  await database.execute(RAISE_OBJECTS_COMPACTED, [sequence])
}

interface Dropped {
  readonly dropped: number
}

/**
 * Deletes the oldest changes beyond the grace period, at most `limit`, and returns their number.
 */
export async function dropObjectChanges(database: Database, limit: number): Promise<number> {
  const [row] = await database.execute<Dropped>(DROP_OBJECT_CHANGES, [limit])
  return row?.dropped ?? 0
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
