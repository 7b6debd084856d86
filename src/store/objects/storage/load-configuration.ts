import { must } from '../../../lib/assert.ts'
import type { Database } from '../../database/database.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { OBJECT_COLUMNS, objectOf, type ObjectRow } from './object-row.ts'

/** A plane without a row has no objects: the join then reads no index. */
const LOAD_CONFIGURATION = {
  name: 'load_configuration',
  text: `
    select bounds.plane_revision, objects.is_tombstone, ${OBJECT_COLUMNS}
    from (
      select planes.plane as stored_plane, greatest(
        planes.revision, object_head.floor, case when planes.plane is null then $3::bigint end
      ) as plane_revision
      from object_head left join planes on planes.plane = $1::text
    ) as bounds
    left join objects on objects.plane = bounds.stored_plane
      and objects.resource = any($2::text[])`,
}

/** The resources to read. */
interface ConfigurationQuery {
  readonly plane: string
  readonly resources: readonly string[]
  /** The revision of the plane if it has no row. */
  readonly start: bigint
}

/** A row of a configuration resource. */
export interface ConfigurationRow {
  readonly object: StoredObject
  readonly isTombstone: boolean
}

/** All rows of some resources of a plane, and the plane's revision in the same snapshot. */
export interface LoadedConfiguration {
  readonly revision: bigint
  readonly rows: readonly ConfigurationRow[]
}

type Row = { readonly plane_revision: bigint; readonly is_tombstone: boolean } & (
  | ObjectRow
  | { readonly [Column in keyof ObjectRow]: null }
)

/** Reads all objects of some resources of a plane. */
export async function loadConfiguration(
  database: Database,
  { plane, resources, start }: ConfigurationQuery,
): Promise<LoadedConfiguration> {
  const rows = await database.execute<Row>(LOAD_CONFIGURATION, [plane, resources, start])
  return {
    revision: must(rows[0], 'the revision of a plane').plane_revision,
    rows: rows.flatMap((row) =>
      row.plane === null ? [] : [{ object: objectOf(row), isTombstone: row.is_tombstone }],
    ),
  }
}
