import {
  type HeadColumns,
  headOf,
  type LogPage,
  MAX_PAGE_BYTES,
} from '../../../changes/read-changes.ts'
import type { Database } from '../../../database/database.ts'
import type { CodecOf } from '../../model/body-codec.ts'
import { CHANGE_COLUMNS, type ChangeRow, entryOf, type LogEntry } from './object-change-row.ts'

/** The stored size of a change, without detoasting it. */
export const STORED_SIZE = 'pg_column_size(body) + pg_column_size(managed_fields)'

/** Head and changes are read in one snapshot. */
const READ_OBJECT_CHANGES = {
  name: 'read_object_changes',
  text: `
    select object_head.epoch, object_head.sequence as head_revision, object_head.compacted, logged.*
    from object_head left join lateral (
      select ${CHANGE_COLUMNS} from (
        select *, sum(size) over (order by sequence) - size as size_before from (
          select *, ${STORED_SIZE} as size
          from object_changes where sequence > $1::bigint order by sequence limit $2::integer
        ) as sized
      ) as changes
      where size_before < ${MAX_PAGE_BYTES}
      order by changes.sequence
    ) as logged on true`,
}

type Row = HeadColumns & (ChangeRow | { readonly sequence: null })

interface Position {
  readonly after: bigint
  readonly limit: number
}

/** Reads at most `limit` changes of all planes; fewer if they are large, but at least one. */
export async function readObjectChanges(
  database: Database,
  { after, limit }: Position,
  codecOf: CodecOf,
): Promise<LogPage<LogEntry>> {
  const rows = await database.execute<Row>(READ_OBJECT_CHANGES, [after, limit])
  const entries = rows.flatMap((row) => (row.sequence === null ? [] : [entryOf(row, codecOf)]))
  return { head: headOf(rows), entries }
}
