import { must } from '../../lib/assert.ts'
import type { Database } from '../../store/database/database.ts'
import type { HistoryRow } from './history-row.ts'

/** The most stored bytes of the values of a page. */
const MAX_PAGE_BYTES = 4_194_304

const SIZE = `coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0)`

/** `position` is the time in microseconds, which a Date cannot express. */
const READ_HISTORY = {
  name: 'read_history',
  text: `
    select whole.is_complete, page.*
    from (
      select exists (
        select from resource_history, history_cursor
        where resource_id = $1::text and type = 'created'
          and time >= coalesce(lost_time, '-infinity')
      ) as is_complete
    ) as whole
    left join lateral (
      select time, (extract(epoch from time) * 1000000)::bigint as position, revision, type, kind,
        tenant, owner_id, name, generation, author, reason, before, after, conditions, found
      from (
        select *, count(*) over () as found,
          sum(${SIZE}) over (order by time desc, revision desc) - (${SIZE}) as size_before
        from (
          select * from resource_history
          where resource_id = $1::text
            and ($2::bigint is null
              or (time, revision) <
                (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::bigint))
          order by time desc, revision desc limit $4::integer
        ) as newest
      ) as sized
      where size_before < ${MAX_PAGE_BYTES}
    ) as page on true
    order by time desc, revision desc`,
}

/** The sort key of an entry in the history of a resource. */
export interface HistoryPosition {
  readonly position: bigint
  readonly revision: bigint
}

interface Query {
  readonly id: string
  /** The end of the previous page; null for the newest entries. */
  readonly before: HistoryPosition | null
  readonly limit: number
}

type Row = { readonly is_complete: boolean } & (
  | (HistoryRow & HistoryPosition & { readonly found: bigint })
  | { readonly time: null }
)

/** A page of the history of a resource. */
export interface StoredHistory {
  /** Whether the history contains the creation of the resource, and has lost no change since. */
  readonly isComplete: boolean
  /** Whether the page reached its limit of entries or of bytes. */
  readonly hasMore: boolean
  /** Newest first. */
  readonly rows: readonly (HistoryRow & HistoryPosition)[]
}

/** Reads the history of one resource. */
export async function readHistory(
  database: Database,
  { id, before, limit }: Query,
): Promise<StoredHistory> {
  const values = [id, before?.position ?? null, before?.revision ?? null, limit + 1]
  const found = await database.execute<Row>(READ_HISTORY, values)
  const { is_complete: isComplete } = must(found[0], 'the state of the history')
  const all = found.flatMap((row) => (row.time === null ? [] : [row]))
  const rows = all.slice(0, limit)
  return { isComplete, hasMore: rows.length < Number(all[0]?.found ?? 0), rows }
}
