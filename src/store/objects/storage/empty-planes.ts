import type { Database } from '../../database/database.ts'
import type { RemoveRecords } from './remove-records.ts'
import { type BaseRow, type PlaneBases, planeColumns, type PlaneCount } from './insert-planes.ts'

const INSERT_MISSING_PLANES = {
  name: 'insert_missing_planes',
  text: `
    insert into planes (plane, revision, compacted)
    select missing.plane, greatest(missing.start, object_head.floor),
      greatest(missing.start, object_head.floor)
    from unnest($1::text[], $2::bigint[], $3::integer[]) as missing (plane, start, count),
      object_head
    order by missing.plane
    on conflict (plane) do nothing`,
}

const LOCK_PLANES = {
  name: 'lock_planes',
  text: `
    select plane from planes
    where plane = any($1::text[]) and removed_time is null
    order by plane for update`,
}

/** Includes tombstones: the computed objects of the planes appear again. */
const DELETE_OBJECTS_OF_PLANES = {
  name: 'delete_objects_of_planes',
  text: 'delete from objects where plane = any($1::text[])',
}

/**
 * The entry of type REMOVED ends the watches of the plane and drops its configuration in every
 * process. The planes stay in use, because they have no time of removal.
 */
const RAISE_EMPTY_PLANES = {
  name: 'raise_empty_planes',
  text: `
    with raised as (
      update planes set
        revision = greatest(planes.revision, object_head.floor) + 1 + emptied.count,
        compacted = greatest(planes.revision, object_head.floor) + 1
      from unnest($1::text[], $2::bigint[], $3::integer[]) as emptied (plane, start, count),
        object_head
      where planes.plane = emptied.plane
      returning planes.plane, planes.compacted as base
    ), announced as (
      insert into object_outbox (
        type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels)
      select 'REMOVED', plane, '', '', '', '', base, '{}', '[]', '{}' from raised order by plane
    )
    select plane, base from raised`,
}

/**
 * Deletes the objects of planes, regardless of their finalizers, and ends the watches of the planes.
 * Holds the locks of the planes until the end of the transaction. The result lacks planes that were
 * removed.
 */
export async function emptyPlanes(
  transaction: Database,
  planes: readonly PlaneCount[],
  removeRecords: RemoveRecords,
): Promise<PlaneBases> {
  await transaction.execute(INSERT_MISSING_PLANES, planeColumns(planes))
  const ids = planes.map(({ plane }) => plane)
  const locked = await transaction.execute<{ plane: string }>(LOCK_PLANES, [ids])
  const kept = new Set(locked.map(({ plane }) => plane))
  // The statements after the lock see every earlier write of the planes.
  await transaction.execute(DELETE_OBJECTS_OF_PLANES, [[...kept]])
  await removeRecords(transaction, [...kept])
  const values = planeColumns(planes.filter(({ plane }) => kept.has(plane)))
  const rows = await transaction.execute<BaseRow>(RAISE_EMPTY_PLANES, values)
  return new Map(rows.map(({ plane, base }) => [plane, base]))
}
