import { CHANGE_COLUMNS, DECLARED_JOIN } from '../../src/store/changes/change-row.ts'
import { type ChangeRow, changeOf } from '../../src/store/changes/change-row.ts'
import type { Database } from '../../src/store/database/database.ts'
import {
  type ChangeRow as ObjectRow,
  entryOf,
} from '../../src/store/objects/storage/changes/object-change-row.ts'

const OBJECT_SIZE = 'pg_column_size(body) + pg_column_size(managed_fields)'

const RESOURCE_SIZE = `
  coalesce(pg_column_size(spec), (
    select pg_column_size(resources.spec) from resources
    where resources.id = changes.resource_id and changes.adapter = '' and changes.plane is null), 0)
  + coalesce(pg_column_size(old_spec), 0) + coalesce(pg_column_size(data), 0)
  + coalesce(pg_column_size(conditions), 0)`

const SIZE = `${RESOURCE_SIZE}
  + coalesce(pg_column_size(body), 0) + coalesce(pg_column_size(managed_fields), 0)`

const JOIN = DECLARED_JOIN.replace(
  'where later.resource_id',
  'where later.plane is null and later.resource_id',
).replace('on changes.spec is null', 'on changes.plane is null and changes.spec is null')

const OBJECT_COLUMNS = `
  changes.plane, plane_revision, resource, namespace, changes.resource_id as uid, body::text as body,
  managed_fields::text as managed_fields, before`

/** Reads the changes that meet a condition: `columns` of them, from `changes` and `join`. */
const readText = (
  columns: string,
  condition: string,
  { join, size }: { readonly join: string; readonly size: string },
): string => `
  select head.revision as head_revision, logged.*
  from head left join lateral (
    select ${columns} from (
      select *, sum(size) over (order by revision) - size as size_before from (
        select *, ${size} as size
        from changes where revision > $1::bigint ${condition} order by revision limit $2::integer
      ) as sized
    ) as changes ${join}
    where size_before < 4194304
    order by revision
  ) as logged on true`

const WITHOUT_OBJECT = 'null as plane'
const OBJECT_ONLY = `revision, type, name, labels, ${OBJECT_COLUMNS}`

const EVERY = {
  name: 'read_log',
  text: readText(`${CHANGE_COLUMNS}, ${OBJECT_COLUMNS}`, '', { join: JOIN, size: SIZE }),
}
const RESOURCES = {
  name: 'read_log_resources',
  text: readText(`${CHANGE_COLUMNS}, ${WITHOUT_OBJECT}`, 'and plane is null', {
    join: JOIN,
    size: RESOURCE_SIZE,
  }),
}
const OBJECTS = {
  name: 'read_log_objects',
  text: readText(OBJECT_ONLY, 'and plane is not null', { join: '', size: OBJECT_SIZE }),
}
const READ = {
  every: [EVERY],
  resources: [RESOURCES],
  objects: [OBJECTS],
  each: [RESOURCES, OBJECTS],
}

type Row = { readonly revision: bigint | null } & (
  | (ChangeRow & { readonly plane: null })
  | (Omit<ObjectRow, 'revision' | 'labels'> & {
      readonly revision: bigint
      readonly plane_revision: bigint
      readonly labels: string | Record<string, string>
    })
)

/** Reads the one log as a broadcaster would, and returns the number of changes. */
export async function readOneLog(
  database: Database,
  after: bigint,
  part: keyof typeof READ,
): Promise<number> {
  let count = 0
  for (const statement of READ[part]) {
    const rows = await database.execute<Row>(statement, [after, 1000])
    count += rows.filter((row) => row.revision !== null).map(convert).length
  }
  return count
}

function convert(row: Row): unknown {
  if (row.plane === null) return changeOf(row)
  const { revision: sequence, plane_revision: revision, labels } = row
  return entryOf(
    {
      ...row,
      sequence,
      revision,
      labels: typeof labels === 'string' ? JSON.parse(labels) : labels,
    },
    () => null,
  )
}

const DROP_OF_PLANE = {
  name: 'drop_of_plane',
  text: `
    with oldest as (
      select revision from changes
      where plane = $1::text and plane_revision <= $2::bigint and type <> 'REMOVED'
      order by plane_revision limit $3::integer
      for update skip locked
    ), dropped as (
      delete from changes using oldest where changes.revision = oldest.revision
      returning 1
    )
    select count(*)::integer as dropped from dropped`,
}

/** Deletes the oldest changes of a plane from the one log, as `dropPlaneChanges` does. */
export async function dropOfPlane(
  database: Database,
  { plane, compacted }: { readonly plane: string; readonly compacted: bigint },
  limit: number,
): Promise<number> {
  const [row] = await database.execute<{ dropped: number }>(DROP_OF_PLANE, [
    plane,
    compacted,
    limit,
  ])
  return row?.dropped ?? 0
}
