import type { ReadResource } from '../model/resource.ts'
import type { Database } from '../database/database.ts'
import { REPORT_TIMES, type ReportTimesText } from '../status-records/report-times.ts'
import { READ_COLUMN_LIST, type ReadRow, resourceOf } from './resource-row.ts'

/**
 * The columns, null if the caller has this version in its cache: PostgreSQL then need not send
 * them.
 */
const CHANGED_COLUMNS = READ_COLUMN_LIST.map(({ name, value }) => {
  return `case when resources.version is distinct from cached_version then ${value} end as ${name}`
}).join(', ')

const CURRENT_COLUMNS = `id as found_id, version as found_version, ${REPORT_TIMES}, ${CHANGED_COLUMNS}`

/** A statement for one id is cheaper than the statement for a list. */
const READ_RESOURCE = {
  name: 'read_resource',
  text: `
    select ${CURRENT_COLUMNS}
    from (select $2::bigint as cached_version) as caller, resources
    where id = $1::text`,
}

/**
 * Subqueries hide the lengths of the arrays: PostgreSQL would plan each statement for its own. The
 * lateral join keeps a plan from a time with few resources from a scan of all of them.
 */
const READ_RESOURCES = {
  name: 'read_resources',
  text: `
    select ${CURRENT_COLUMNS}
    from unnest((select $1::text[]), (select $2::bigint[])) as caller (requested_id, cached_version)
    cross join lateral (
      select * from resources where resources.id = requested_id limit 1
    ) as resources`,
}

/** An id to read, and the version in the caller's cache, if any. */
export interface ResourceRead {
  readonly id: string
  readonly cachedVersion: bigint | null
}

/** The current state of a resource. */
export interface CurrentResource {
  readonly id: string
  readonly version: bigint
  readonly reportTimes: ReportTimesText
  /** Null if the version equals the caller's cached version. */
  readonly resource: ReadResource | null
}

type Row = {
  readonly found_id: string
  readonly found_version: bigint
  readonly report_times: ReportTimesText
} & (ReadRow | { readonly [Column in keyof ReadRow]: null })

/**
 * Reads resources by id; ids must be unique. Omits the columns of versions that the caller has
 * cached.
 */
export async function readResources(
  database: Database,
  wanted: readonly ResourceRead[],
): Promise<ReadonlyMap<string, CurrentResource>> {
  const [first, second] = wanted
  if (!first) return new Map()
  const rows = second
    ? await database.execute<Row>(READ_RESOURCES, [
        wanted.map(({ id }) => id),
        wanted.map(({ cachedVersion }) => cachedVersion),
      ])
    : await database.execute<Row>(READ_RESOURCE, [first.id, first.cachedVersion])
  return new Map(rows.map((row) => [row.found_id, currentOf(row)]))
}

function currentOf(row: Row): CurrentResource {
  return {
    id: row.found_id,
    version: row.found_version,
    reportTimes: row.report_times,
    resource: row.id === null ? null : resourceOf(row),
  }
}
