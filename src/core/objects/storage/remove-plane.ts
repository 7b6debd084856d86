import type { Database } from '../../storage/database/database.ts'

/** The entry ends the watches of the plane in every process. */
const MARK_PLANE_REMOVED = {
  name: 'mark_plane_removed',
  text: `
    with marked as (
      update planes set removed_time = now(),
        revision = greatest(planes.revision, object_head.floor) + 1,
        compacted = greatest(planes.revision, object_head.floor) + 1
      from object_head
      where planes.plane = $1::text and planes.removed_time is null
      returning planes.plane, planes.revision
    )
    insert into object_outbox (
      type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels)
    select 'REMOVED', plane, '', '', '', '', revision, '{}', '[]', '{}' from marked`,
}

const DELETE_PLANE_OBJECTS = {
  name: 'delete_plane_objects',
  text: `
    with batch as (
      select objects.ctid as row_id from objects where objects.plane = $1::text limit $2::integer
    ), deleted as (
      delete from objects where objects.ctid = any(array(select row_id from batch)) returning 1
    )
    select count(*)::integer as deleted from deleted`,
}

/** After this time no process can have an older state of the plane. */
const PURGE_PLANES = {
  name: 'purge_planes',
  text: `
    delete from planes
    where removed_time < now() - $1::integer * interval '1 second'
      and not exists (select 1 from objects where objects.plane = planes.plane)`,
}

/**
 * Removes a plane: rejects further writes, ends its watches, and deletes its objects in batches,
 * regardless of their finalizers. May be repeated.
 */
export async function removePlane(
  database: Database,
  plane: string,
  batchSize: number,
): Promise<void> {
  await database.execute(MARK_PLANE_REMOVED, [plane])
  for (;;) {
    const values = [plane, batchSize]
    const [row] = await database.execute<{ deleted: number }>(DELETE_PLANE_OBJECTS, values)
    if ((row?.deleted ?? 0) < batchSize) return
  }
}

/** Forgets the planes that were removed long ago. */
export async function purgePlanes(database: Database, seconds: number): Promise<void> {
  await database.execute(PURGE_PLANES, [seconds])
}
