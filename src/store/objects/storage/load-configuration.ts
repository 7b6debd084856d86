import { must } from '../../../lib/assert.ts'
import type { Database } from '../../database/database.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { OBJECT_COLUMNS, objectOf, type ObjectRow } from './object-row.ts'

/** The select list of a row. The join with objects reads no index for a plane without a row. */
const COLUMNS = `bounds.plane_revision, objects.is_tombstone, ${OBJECT_COLUMNS}`
/** PostgreSQL must know the resources: for unknown ones it expects, and reads, most objects. */
const JOIN = `
    left join objects on objects.plane = bounds.stored_plane
      and objects.resource = any($2::text[])`

/** A statement for one plane is cheaper than the statement for several. */
const LOAD_CONFIGURATION = {
  name: 'load_configuration',
  text: `
    select 0 as position, ${COLUMNS}
    from (
      select planes.plane as stored_plane, greatest(
        planes.revision, object_head.floor, case when planes.plane is null then $3::bigint end
      ) as plane_revision
      from object_head left join planes on planes.plane = $1::text
    ) as bounds ${JOIN}`,
}

/**
 * Planning takes longer than reading a few planes, so the plan must not depend on values: subqueries
 * hide the lengths of arrays, and a plan from a time with few planes must not scan them all.
 */
const LOAD_CONFIGURATIONS = {
  name: 'load_configurations',
  text: `
    select bounds.position::integer - 1 as position, ${COLUMNS}
    from (
      select wanted.position, planes.plane as stored_plane, greatest(
        planes.revision, object_head.floor, case when planes.plane is null then wanted.start end
      ) as plane_revision
      from unnest((select $1::text[]), (select $3::bigint[])) with ordinality
        as wanted (plane, start, position)
      cross join object_head
      left join lateral (
        select plane, revision from planes where planes.plane = wanted.plane limit 1
      ) as planes on true
    ) as bounds ${JOIN}`,
}

/** A plane whose configuration is read. */
export interface ConfiguredPlane {
  readonly plane: string
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

interface PlaneColumns {
  readonly position: number
  readonly plane_revision: bigint
  readonly is_tombstone: boolean
}

type Row = PlaneColumns & (ObjectRow | { readonly [Column in keyof ObjectRow]: null })

/** Reads all objects of some resources of planes, in the order of the planes. */
export async function loadConfigurations(
  database: Database,
  planes: readonly ConfiguredPlane[],
  resources: readonly string[],
): Promise<readonly LoadedConfiguration[]> {
  const loaded = planes.map((): { revision: bigint | null; rows: ConfigurationRow[] } => {
    return { revision: null, rows: [] }
  })
  for (const row of await readRows(database, planes, resources)) {
    const configuration = must(loaded[row.position], 'a configuration')
    configuration.revision = row.plane_revision
    if (row.plane !== null) {
      configuration.rows.push({ object: objectOf(row), isTombstone: row.is_tombstone })
    }
  }
  return loaded.map(({ revision, rows }) => {
    return { revision: must(revision, 'the revision of a plane'), rows }
  })
}

function readRows(
  database: Database,
  planes: readonly ConfiguredPlane[],
  resources: readonly string[],
): Promise<Row[]> {
  const [only, second] = planes
  if (only && !second) {
    return database.execute<Row>(LOAD_CONFIGURATION, [only.plane, resources, only.start])
  }
  const [names, starts] = [planes.map(({ plane }) => plane), planes.map(({ start }) => start)]
  return database.execute<Row>(LOAD_CONFIGURATIONS, [names, resources, starts])
}
