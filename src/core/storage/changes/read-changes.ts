import type { Change } from '../../model/change.ts'
import { must } from '../../../lib/assert.ts'
import { CHANGE_COLUMNS, type ChangeRow, changeOf, DECLARED } from './change-row.ts'
import type { Database } from '../database/database.ts'

/** Where the log ends and begins. */
export interface Head {
  /** Names the log: revisions of another epoch mean nothing. */
  readonly epoch: string
  /** Of the newest change; 0 where there has been none. */
  readonly revision: bigint
  /** The log has every change after this revision. */
  readonly compacted: bigint
}

/** Of a page, as it is stored: the text can be several times as much. */
const MAX_SIZE = 4_194_304

/** What a change takes, without looking into it; of conditions alone, with what it does not say. */
const STORED_SIZE = `
            coalesce(
              pg_column_size(spec),
              (select pg_column_size(resources.spec) from resources
               where resources.id = changes.resource_id and changes.adapter = ''),
              0)
            + coalesce(pg_column_size(old_spec), 0) + coalesce(pg_column_size(data), 0)
            + pg_column_size(conditions)`

/** The head and the changes are of one snapshot: what is not there below the head is compacted. */
const READ_CHANGES = {
  name: 'read_changes',
  text: `
    select head.epoch, head.revision as head_revision, head.compacted, logged.*
    from head left join lateral (
      select ${CHANGE_COLUMNS} from (
        select *, sum(size) over (order by revision) - size as size_before from (
          select *, ${STORED_SIZE} as size
          from changes where revision > $1::bigint order by revision limit $2::integer
        ) as sized
      ) as changes ${DECLARED}
      where size_before < ${MAX_SIZE}
      order by revision
    ) as logged on true`,
}

const READ_HEAD = {
  name: 'read_head',
  text: `select epoch, revision, compacted from head`,
}

interface HeadColumns {
  readonly epoch: string
  readonly head_revision: bigint
  readonly compacted: bigint
}

type Row = HeadColumns & (ChangeRow | { readonly revision: null })

/** The changes after a revision, the oldest first, and the head as it was then. */
export interface LogPage {
  readonly head: Head
  readonly changes: readonly Change[]
}

/** Reads at most `limit` changes of the log, and fewer where they are large; one at least. */
export async function readChanges(
  database: Database,
  after: bigint,
  limit: number,
): Promise<LogPage> {
  const rows = await database.execute<Row>(READ_CHANGES, [after, limit])
  const { epoch, head_revision: revision, compacted } = must(rows[0], 'the head of the log')
  const changes = rows.flatMap((row) => (row.revision === null ? [] : [changeOf(row)]))
  return { head: { epoch, revision, compacted }, changes }
}

/** Reads where the log ends. */
export async function readHead(database: Database): Promise<Head> {
  return must((await database.execute<Head>(READ_HEAD, []))[0], 'the head of the log')
}
