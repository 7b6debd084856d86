import type { Database } from '../../database/database.ts'
import type { RemoveRecords } from './remove-records.ts'

/** A root plane is removed only after its tenant has departed, which deletes the objects. */
const IS_REMOVABLE = `
        and not exists (select 1 from resources where resources.id = planes.plane)
        and (tenant_of_plane(planes.plane) is null or exists (
          select 1 from tenant_states
          where tenant = tenant_of_plane(planes.plane) and state = 'departed'))`

/**
 * Skips planes whose resource exists: a late request must not remove the plane of a resource that has
 * returned with its tenant. The entries end the watches of the planes in every process. Locks the
 * planes in order, so that two processes cannot deadlock. Returns all planes with a row, because an
 * earlier removal may have left objects.
 */
const MARK_PLANES_REMOVED = {
  name: 'mark_planes_removed',
  text: `
    with held as materialized (
      select plane from planes
      where plane = any($1::text[]) and removed_time is null ${IS_REMOVABLE}
      order by plane for update
    ), marked as (
      update planes set removed_time = now(),
        revision = greatest(planes.revision, object_head.floor) + 1,
        compacted = greatest(planes.revision, object_head.floor) + 1
      from object_head, held
      where planes.plane = held.plane
      returning planes.plane, planes.revision
    ), announced as (
      insert into object_outbox (
        type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels)
      select 'REMOVED', plane, '', '', '', '', revision, '{}', '[]', '{}' from marked
    )
    select plane from planes
    where plane = any($1::text[]) ${IS_REMOVABLE}`,
}

const DELETE_PLANE_OBJECTS = {
  name: 'delete_plane_objects',
  text: `
    with batch as (
      select objects.ctid as row_id from objects
      where objects.plane = any($1::text[]) and tenant_of_plane(objects.plane) is null
        and not exists (select 1 from resources where resources.id = objects.plane)
      limit $2::integer
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

interface Removal {
  /** The objects that one statement deletes. */
  readonly batchSize: number
  readonly removeRecords: RemoveRecords
}

/**
 * Removes planes: rejects further writes, ends their watches, and deletes their objects in batches,
 * regardless of their finalizers. Planes that were never written to cost one statement together. May
 * be repeated. Returns the number of planes that had a row.
 */
export async function removePlanes(
  database: Database,
  planes: readonly string[],
  { batchSize, removeRecords }: Removal,
): Promise<number> {
  const rows = await database.execute<{ plane: string }>(MARK_PLANES_REMOVED, [planes])
  const stored = rows.map(({ plane }) => plane)
  for (let deleted = stored.length === 0 ? 0 : batchSize; deleted === batchSize;) {
    const values = [stored, batchSize]
    const [row] = await database.execute<{ deleted: number }>(DELETE_PLANE_OBJECTS, values)
    deleted = row?.deleted ?? 0
  }
  if (stored.length > 0) await removeRecords(database, stored)
  return stored.length
}

/** Forgets the planes that were removed long ago. */
export async function purgePlanes(database: Database, seconds: number): Promise<void> {
  await database.execute(PURGE_PLANES, [seconds])
}
