import type { Change } from '../model/change.ts'
import { must } from '../../lib/assert.ts'
import { CHANGE_COLUMNS, type ChangeRow, changeOf, DECLARED } from './change-row.ts'
import type { Database } from './database.ts'

/** Where the log ends and begins. */
export interface Head {
  /** Names the log: revisions of another epoch mean nothing. */
  readonly epoch: string
  /** Of the newest change; 0 where there has been none. */
  readonly revision: bigint
  /** The log has every change after this revision. */
  readonly compacted: bigint
}

/** The head and the changes are of one snapshot: what is not there below the head is compacted. */
const READ_CHANGES = {
  name: 'read_changes',
  text: `
    select head.epoch, head.revision as head_revision, head.compacted, logged.*
    from head left join lateral (
      select ${CHANGE_COLUMNS} from (
        select * from changes where revision > $1::bigint order by revision limit $2::integer
      ) as changes ${DECLARED}
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

/** Reads at most `limit` changes of the log. */
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
