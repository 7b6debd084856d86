import type { Change } from '../model/change.ts'
import { must } from '../../lib/assert.ts'
import { CHANGE_COLUMNS, type ChangeRow, changeOf, DECLARED_JOIN } from './change-row.ts'
import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'

/** The bounds of the log. */
export interface Head {
  /** Identifies the log. Revisions of different epochs cannot be compared. */
  readonly epoch: string
  /** The revision of the newest change; 0 before the first change. */
  readonly revision: bigint
  /** The log contains every change after this revision. */
  readonly compacted: bigint
}

/** The most stored bytes of a page; the JSON text can be several times larger. */
export const MAX_PAGE_BYTES = 4_194_304

/** The stored size of a change without detoasting it, including the spec that it may omit. */
const STORED_SIZE = `
            coalesce(
              pg_column_size(spec),
              (select pg_column_size(resources.spec) from resources
               where resources.id = changes.resource_id and changes.adapter = ''),
              0)
            + coalesce(pg_column_size(old_spec), 0) + coalesce(pg_column_size(data), 0)
            + pg_column_size(conditions)`

/**
 * Head and changes are read in one snapshot: a revision missing below the head was compacted.
 * Planning takes longer than reading a few changes. Without the subqueries around the parameters,
 * PostgreSQL would plan every read: it estimates fewer rows from a value than from a parameter.
 */
const READ_CHANGES = {
  name: 'read_changes',
  text: `
    select head.epoch, head.revision as head_revision, head.compacted, logged.*
    from head left join lateral (
      select ${CHANGE_COLUMNS} from (
        select *, sum(size) over (order by revision) - size as size_before from (
          select *, ${STORED_SIZE} as size
          from changes where revision > (select $1::bigint)
          order by revision limit (select $2::integer)
        ) as sized
      ) as changes ${DECLARED_JOIN}
      where size_before < ${MAX_PAGE_BYTES}
      order by revision
    ) as logged on true`,
}

const READ_HEAD = {
  resources: { name: 'read_head', text: 'select epoch, revision, compacted from head' },
  objects: {
    name: 'read_object_head',
    text: 'select epoch, sequence as revision, compacted from object_head',
  },
}

/** The columns of the head in the rows of a page. */
export interface HeadColumns {
  readonly epoch: string
  readonly head_revision: bigint
  readonly compacted: bigint
}

type Row = HeadColumns & (ChangeRow | { readonly revision: null })

/** The changes after a revision, oldest first, and the head in the same snapshot. */
export interface LogPage<Entry = Change> {
  readonly head: Head
  readonly entries: readonly Entry[]
}

/** Reads at most `limit` changes of the log; fewer if they are large, but at least one. */
export async function readChanges(
  database: Database,
  after: bigint,
  limit: number,
): Promise<LogPage> {
  const rows = await database.execute<Row>(READ_CHANGES, [after, limit])
  const entries = rows.flatMap((row) => (row.revision === null ? [] : [changeOf(row)]))
  return { head: headOf(rows), entries }
}

/** The head in the rows of a page, which has a row even without changes. */
export function headOf([first]: readonly HeadColumns[]): Head {
  const { epoch, head_revision: revision, compacted } = must(first, 'the head of the log')
  return { epoch, revision, compacted }
}

/** Reads the bounds of a log. The revisions of the log of objects are its sequences. */
export async function readHead(database: Database, log: Log = 'resources'): Promise<Head> {
  return must((await database.execute<Head>(READ_HEAD[log], []))[0], 'the head of the log')
}
