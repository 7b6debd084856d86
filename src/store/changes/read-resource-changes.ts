import { must } from '../../lib/assert.ts'
import type { Database } from '../database/database.ts'
import { type DetailedChange, IS_SHOWN, LOGGED_COLUMNS } from './logged-change.ts'

/** The most stored bytes of the specs of a page. */
const MAX_PAGE_BYTES = 4_194_304

const SIZE = `coalesce(pg_column_size(spec), 0) + coalesce(pg_column_size(old_spec), 0)`

/**
 * The changes of one resource, newest first, with the head in the same snapshot. The first change of
 * a resource in a complete log is its creation.
 */
const READ_RESOURCE_CHANGES = {
  name: 'read_resource_changes',
  text: `
    select head.epoch,
      (select type = 'ADDED' and adapter = '' from changes
       where resource_id = $1::text and revision > head.compacted
       order by revision limit 1) as is_complete,
      logged.*
    from head left join lateral (
      select ${LOGGED_COLUMNS},
        case when changes.type = 'ADDED' or old_spec is distinct from changes.spec
          then changes.spec end as spec,
        old_spec,
        case when changes.type = 'ADDED' or old_labels is distinct from changes.labels
          then changes.labels end as labels,
        old_labels,
        found
      from (
        select *, count(*) over () as found,
          sum(${SIZE}) over (order by revision desc) - (${SIZE}) as size_before
        from (
          select * from changes
          where resource_id = $1::text and revision > head.compacted
            and ($2::bigint is null or revision < $2::bigint)
            and ${IS_SHOWN}
          order by revision desc limit $3::integer
        ) as newest
      ) as changes
      left join resources on changes.kind is null and resources.id = changes.resource_id
      where size_before < ${MAX_PAGE_BYTES}
    ) as logged on true
    order by revision desc`,
}

type Row = {
  readonly epoch: string
  readonly is_complete: boolean | null
} & ((DetailedChange & { readonly found: bigint }) | { readonly revision: null })

interface Query {
  readonly id: string
  /** Null for the newest changes. */
  readonly before: bigint | null
  readonly limit: number
}

/** Changes of a resource in the log. */
export interface ResourceLog {
  readonly epoch: string
  /** Whether the log contains the creation of the resource. */
  readonly isComplete: boolean
  /** Whether there are older changes: the page reached its limit of changes or of bytes. */
  readonly hasMore: boolean
  /** Newest first. */
  readonly changes: readonly DetailedChange[]
}

/** Reads the changes of one resource and of the reports on it. */
export async function readResourceChanges(
  database: Database,
  { id, before, limit }: Query,
): Promise<ResourceLog> {
  const rows = await database.execute<Row>(READ_RESOURCE_CHANGES, [id, before, limit])
  const { epoch, is_complete: isComplete } = must(rows[0], 'the head of the log')
  const changes = rows.flatMap((row) => (row.revision === null ? [] : [row]))
  const hasMore = changes.length === limit || changes.length < Number(changes[0]?.found ?? 0)
  return { epoch, isComplete: isComplete === true, hasMore, changes }
}
