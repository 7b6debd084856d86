import type { Database } from '../database/database.ts'

/**
 * A log belongs to one database on one timeline of one server. After a restore, a copy or a
 * failover, revisions may be assigned again to other changes.
 */
const RENEW_EPOCH = {
  name: 'renew_epoch',
  text: `
    with here as (
      select concat_ws('/', system_identifier, timeline_id, pg_database.oid) as origin
      from pg_control_system(), pg_control_checkpoint(), pg_database
      where datname = current_database()
    )
    update head set epoch = left(md5(gen_random_uuid()::text), 8), origin = here.origin
    from here where head.origin <> here.origin
    returning epoch`,
}

/** Begins a new epoch if the current one began in another database. Returns whether it did. */
export async function renewEpoch(database: Database): Promise<boolean> {
  return (await database.execute(RENEW_EPOCH, [])).length > 0
}
