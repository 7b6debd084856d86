import { must } from '../../../lib/assert.ts'
import type { Database } from '../../storage/database/database.ts'

/** The bounds of the log of object changes. */
export interface ObjectHead {
  /** Identifies the log. Sequences of different epochs are not comparable. */
  readonly epoch: string
  /** The sequence of the newest change. */
  readonly sequence: bigint
  /** Changes up to this sequence are dropped. */
  readonly compacted: bigint
}

const READ_OBJECT_HEAD = {
  name: 'read_object_head',
  text: 'select epoch, sequence, compacted from object_head',
}

/**
 * Revisions of an earlier epoch may be lost with their database, and must not be assigned again. The
 * floor is the current time, which a plane reaches only with a million writes per second. The first
 * epoch of a database has no floor.
 */
const RENEW_OBJECT_EPOCH = {
  name: 'renew_object_epoch',
  text: `
    with here as materialized (
      select concat_ws('/', system_identifier, timeline_id, pg_database.oid) as origin
      from pg_control_system(), pg_control_checkpoint(), pg_database
      where datname = current_database()
    ), locked as materialized (
      select origin, pg_advisory_xact_lock(7305188024) from here
      where origin <> (select object_head.origin from object_head)
    )
    update object_head set
      epoch = left(md5(gen_random_uuid()::text), 8), origin = locked.origin,
      floor = case when object_head.origin = '' then floor
        else greatest(floor, (extract(epoch from clock_timestamp()) * 1048576)::bigint) end
    from locked where object_head.origin <> locked.origin
    returning epoch`,
}

/** Reads the bounds of the log. */
export async function readObjectHead(database: Database): Promise<ObjectHead> {
  const [head] = await database.execute<ObjectHead>(READ_OBJECT_HEAD, [])
  return must(head, 'the head of the log of objects')
}

/**
 * Begins a new epoch if the current one began in another database. Waits for running writes, whose
 * revisions belong to the earlier epoch.
 */
export async function renewObjectEpoch(database: Database): Promise<void> {
  await database.execute(RENEW_OBJECT_EPOCH, [])
}
