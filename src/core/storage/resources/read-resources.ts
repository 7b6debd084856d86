import type { ReadResource } from '../../model/resource.ts'
import type { Database } from '../database/database.ts'
import { REPORT_TIMES, type ReportTimesText } from '../status-records/report-times.ts'
import { READ_COLUMN_LIST, type ReadRow, resourceOf } from './resource-row.ts'

/** The columns, null where the reader knows this version: then PostgreSQL need not write them out. */
const NEWS = READ_COLUMN_LIST.map(({ name, value }) => {
  return `case when resources.version is distinct from known then ${value} end as ${name}`
}).join(', ')

const SEEN = `id as seen_id, version as seen_version, ${REPORT_TIMES}, ${NEWS}`

/** A look-up of one id is cheaper than one of a list with one id. */
const READ_RESOURCE = {
  name: 'read_resource',
  text: `
    select ${SEEN}
    from (select $2::bigint as known) as reader, resources
    where id = $1::text`,
}

const READ_RESOURCES = {
  name: 'read_resources',
  text: `
    select ${SEEN}
    from unnest($1::text[], $2::bigint[]) as reader (wanted, known)
    join resources on id = wanted`,
}

/** An id to read, and the version that the reader has of it already, if any. */
export interface Wanted {
  readonly id: string
  readonly known: bigint | null
}

/** A resource as it is now. */
export interface Seen {
  readonly id: string
  readonly version: bigint
  readonly reportTimes: ReportTimesText
  /** Null where the reader knows this version. */
  readonly resource: ReadResource | null
}

type Row = {
  readonly seen_id: string
  readonly seen_version: bigint
  readonly report_times: ReportTimesText
} & (ReadRow | { readonly [Column in keyof ReadRow]: null })

/** Reads resources, each id once; by id. What the reader knows already is not sent again. */
export async function readResources(
  database: Database,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, Seen>> {
  const [first, second] = wanted
  if (!first) return new Map()
  const rows = second
    ? await database.execute<Row>(READ_RESOURCES, [
        wanted.map(({ id }) => id),
        wanted.map(({ known }) => known),
      ])
    : await database.execute<Row>(READ_RESOURCE, [first.id, first.known])
  return new Map(rows.map((row) => [row.seen_id, seenOf(row)]))
}

function seenOf(row: Row): Seen {
  return {
    id: row.seen_id,
    version: row.seen_version,
    reportTimes: row.report_times,
    resource: row.id === null ? null : resourceOf(row),
  }
}
