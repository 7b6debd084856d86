import { must } from '../../lib/assert.ts'

/** How far a server has replayed the log of writes. */
export interface Position {
  /** The epoch and the newest revision of the log of changes. */
  readonly epoch: string
  readonly revision: bigint
  /** The epochs of both logs and the databases in which they began. */
  readonly origin: string
  /** The position in the write-ahead log, in bytes. */
  readonly lsn: bigint
}

/** Head first, rows second: rows of the same snapshot are at least as new as the head. */
export const READ_POSITION = {
  name: 'read_position',
  text: `
    select head.epoch, head.revision::text as revision,
      concat_ws(' ', head.epoch, head.origin, object_head.epoch, object_head.origin) as origin,
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end
        - '0/0'::pg_lsn)::text as lsn
    from head, object_head`,
}

/** A row of READ_POSITION. */
export interface PositionRow {
  readonly epoch: string
  readonly revision: string
  readonly origin: string
  readonly lsn: string
}

export function positionOf(row: PositionRow | undefined): Position {
  const { epoch, revision, origin, lsn } = must(row, 'a position')
  return { epoch, revision: BigInt(revision), origin, lsn: BigInt(lsn) }
}
