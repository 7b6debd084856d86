import type { Database } from '../../database/database.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { OBJECT_COLUMNS, objectOf, type ObjectRow } from './object-row.ts'

/** The stored objects of a plane at one revision. Computed objects are not included. */
export interface PlaneContent {
  readonly revision: bigint
  /** Ordered by resource, namespace and name. */
  readonly objects: readonly StoredObject[]
}

const READ_PLANE = {
  name: 'read_plane',
  text: `
    select bounds.revision as plane_revision, bounds.is_removed, stored.*
    from (
      select greatest(planes.revision, object_head.floor) as revision,
        planes.removed_time is not null as is_removed
      from planes, object_head
      where planes.plane = $1::text
    ) as bounds
    left join lateral (
      select ${OBJECT_COLUMNS} from objects
      where objects.plane = $1::text and not objects.is_tombstone and not bounds.is_removed
      order by objects.resource, objects.namespace, objects.name
    ) as stored on true`,
}

type Row = { readonly plane_revision: bigint; readonly is_removed: boolean } & (
  | ObjectRow
  | { readonly [Column in keyof ObjectRow]: null }
)

/**
 * Reads all stored objects of a plane in one snapshot; null before its first write. The objects of a
 * removed plane are deleted in several steps, so they are not returned.
 */
export async function readPlane(
  database: Database,
  plane: string,
): Promise<PlaneContent | 'removed' | null> {
  const rows = await database.execute<Row>(READ_PLANE, [plane])
  const [first] = rows
  if (!first) return null
  if (first.is_removed) return 'removed'
  const objects = rows.flatMap((row) => (row.plane === null ? [] : [objectOf(row)]))
  return { revision: first.plane_revision, objects }
}
