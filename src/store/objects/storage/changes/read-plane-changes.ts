import { must } from '../../../../lib/assert.ts'
import type { Database } from '../../../database/database.ts'
import type { CodecOf } from '../../model/body-codec.ts'
import type { ObjectChange } from '../../model/object-change.ts'
import { CHANGE_COLUMNS, type ChangeRow, entryOf } from './object-change-row.ts'
import { MAX_PAGE_BYTES } from '../../../changes/read-changes.ts'
import { STORED_SIZE } from './read-object-changes.ts'

/** The bounds of the plane and its changes are read in one snapshot. */
const READ_PLANE_CHANGES = {
  name: 'read_plane_changes',
  text: `
    select bounds.*, logged.*
    from (
      select object_head.epoch, object_head.sequence as head_sequence,
        greatest(
          planes.revision, object_head.floor, case when planes.plane is null then $5::bigint end
        ) as plane_revision,
        greatest(
          planes.compacted, object_head.floor, case when planes.plane is null then $5::bigint end
        ) as plane_compacted,
        planes.removed_time is not null as is_removed,
        (select max(object_changes.revision) from object_changes
         where object_changes.plane = $1::text) as logged_revision
      from object_head left join planes on planes.plane = $1::text
    ) as bounds
    left join lateral (
      select ${CHANGE_COLUMNS} from (
        select *, sum(size) over (order by revision) - size as size_before from (
          select *, ${STORED_SIZE} as size
          from object_changes
          where object_changes.plane = $1::text and object_changes.revision > $3::bigint
            and ($2::text = '' or object_changes.resource = $2::text)
          order by object_changes.revision limit $4::integer
        ) as sized
      ) as changes
      where size_before < ${MAX_PAGE_BYTES}
      order by changes.revision
    ) as logged on true`,
}

interface Bounds {
  readonly epoch: string
  readonly head_sequence: bigint
  readonly plane_revision: bigint
  readonly plane_compacted: bigint
  readonly is_removed: boolean
  readonly logged_revision: bigint | null
}

type Row = Bounds & (ChangeRow | { readonly sequence: null })

/** The changes to read. */
export interface PlanePosition {
  readonly plane: string
  /** Empty for all resources. */
  readonly resource: string
  readonly after: bigint
  readonly limit: number
  /** The revision of the plane if it has no row. */
  readonly start: bigint
}

/** Changes of one resource in a plane, and the bounds in the same snapshot. */
export interface PlaneLogPage {
  readonly epoch: string
  /** The changes include all up to this sequence, if they are fewer than asked for. */
  readonly sequence: bigint
  readonly planeRevision: bigint
  /** The log has every change of the plane after this revision. */
  readonly compacted: bigint
  readonly isRemoved: boolean
  /** The newest revision of the plane in the log; null if the log has no change of the plane. */
  readonly loggedRevision: bigint | null
  readonly changes: readonly ObjectChange[]
  /** Whether the log may have more changes. */
  readonly hasMore: boolean
}

/** Reads the changes in a plane after a revision, oldest first. */
export async function readPlaneChanges(
  database: Database,
  { plane, resource, after, limit, start }: PlanePosition,
  codecOf: CodecOf,
): Promise<PlaneLogPage> {
  const values = [plane, resource, after, limit, start]
  const rows = await database.execute<Row>(READ_PLANE_CHANGES, values)
  const bounds = must(rows[0], 'the bounds of a plane')
  const changes = rows.flatMap((row) => {
    const entry = row.sequence === null ? null : entryOf(row, codecOf)
    return entry === null || entry.type === 'REMOVED' ? [] : [entry]
  })
  return {
    epoch: bounds.epoch,
    sequence: bounds.head_sequence,
    planeRevision: bounds.plane_revision,
    compacted: bounds.plane_compacted,
    isRemoved: bounds.is_removed,
    loggedRevision: bounds.logged_revision,
    changes,
    // A page of large changes ends early.
    hasMore: changes.length > 0,
  }
}
