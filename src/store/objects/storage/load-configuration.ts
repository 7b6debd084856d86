import { must } from '../../../lib/assert.ts'
import type { Database } from '../../database/database.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { OBJECT_COLUMNS, objectOf, type ObjectRow } from './object-row.ts'

/** The select list of a row. The join with objects reads no index for a plane without a row. */
const COLUMNS = `bounds.plane_revision, objects.is_tombstone, ${OBJECT_COLUMNS}`

/** Cheaper than the statement for several planes. The subquery lets PostgreSQL keep the plan. */
const BOUNDS_OF_ONE = `
      select 0 as position, planes.plane as stored_plane, greatest(
        planes.revision, object_head.floor, case when planes.plane is null then $2::bigint end
      ) as plane_revision
      from object_head left join planes on planes.plane = (select $1::text)`

/**
 * Planning takes longer than reading a few planes, so the plan must not depend on values: subqueries
 * hide the lengths of arrays, and a plan from a time with few planes must not scan them all.
 */
const BOUNDS_OF_SEVERAL = `
      select wanted.position::integer - 1 as position, planes.plane as stored_plane, greatest(
        planes.revision, object_head.floor, case when planes.plane is null then wanted.start end
      ) as plane_revision
      from unnest((select $1::text[]), (select $2::bigint[])) with ordinality
        as wanted (plane, start, position)
      cross join object_head
      left join lateral (
        select plane, revision from planes where planes.plane = wanted.plane limit 1
      ) as planes on true`

/**
 * PostgreSQL must know the resources: for unknown ones it expects, and reads, most objects. As
 * parameters, it would plan each statement for them, so they are part of the text.
 */
function textOf(bounds: string, resources: readonly string[]): string {
  const names = resources.map((name) => `'${name.replaceAll("'", "''")}'`)
  return `
    select bounds.position, ${COLUMNS}
    from (${bounds}
    ) as bounds
    left join objects on objects.plane = bounds.stored_plane
      and objects.resource = any(array[${names.join(', ')}]::text[])`
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

/** Reads configurations of planes, in the order of the planes. */
export type LoadConfigurations = (
  database: Database,
  planes: readonly ConfiguredPlane[],
) => Promise<readonly LoadedConfiguration[]>

/** Returns a function that reads all objects of some resources. A connection may use only one. */
export function configurationLoader(resources: readonly string[]): LoadConfigurations {
  const one = { name: 'load_configuration', text: textOf(BOUNDS_OF_ONE, resources) }
  const several = { name: 'load_configurations', text: textOf(BOUNDS_OF_SEVERAL, resources) }
  return async (database, planes) => {
    const [only, second] = planes
    const rows =
      only && !second
        ? await database.execute<Row>(one, [only.plane, only.start])
        : await database.execute<Row>(several, [
            planes.map(({ plane }) => plane),
            planes.map(({ start }) => start),
          ])
    return configurationsOf(planes, rows)
  }
}

function configurationsOf(
  planes: readonly ConfiguredPlane[],
  rows: readonly Row[],
): readonly LoadedConfiguration[] {
  const loaded = planes.map((): { revision: bigint | null; rows: ConfigurationRow[] } => {
    return { revision: null, rows: [] }
  })
  for (const row of rows) {
    const configuration = must(loaded[row.position], 'a configuration')
    configuration.revision = row.plane_revision
    if (row.plane !== null) {
      configuration.rows.push({ object: objectOf(row), isTombstone: row.is_tombstone })
    }
  }
  return loaded.map(({ revision, rows: found }) => {
    return { revision: must(revision, 'the revision of a plane'), rows: found }
  })
}
