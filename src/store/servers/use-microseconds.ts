import type { Database } from '../database/database.ts'
import {
  MICROSECONDS,
  REJECTS_OLDER_SERVERS,
  TIMES_ARE_PRECISE,
} from '../database/migration-history.ts'
import { LIVE_SERVERS_SINCE } from './live-servers.ts'

const SINCE = `${REJECTS_OLDER_SERVERS} since `

const REJECT_OLDER_SERVERS = {
  name: 'reject_older_servers',
  text: `
    update _prisma_migrations set logs = '${SINCE}' || clock_timestamp()
    where migration_name = '${MICROSECONDS}' and logs not like '${REJECTS_OLDER_SERVERS}%'`,
}

const READ_REJECTION = {
  name: 'read_rejection',
  text: `
    select logs = '${TIMES_ARE_PRECISE}' as is_precise,
      case when logs like '${SINCE}%'
        then substr(logs, length('${SINCE}') + 1)::timestamptz < ${LIVE_SERVERS_SINCE}
        else false end as is_due
    from _prisma_migrations where migration_name = '${MICROSECONDS}'`,
}

/** The same waits as a migration: an index of all resources is built again. */
const PREPARE = {
  name: 'prepare_microseconds',
  text: `select set_config('statement_timeout', '0', true), set_config('lock_timeout', '2s', true)`,
}

const USE_MICROSECONDS = {
  name: 'use_microseconds',
  text: `
    with changed as (
      update _prisma_migrations set logs = '${TIMES_ARE_PRECISE}'
      where migration_name = '${MICROSECONDS}' and logs like '${SINCE}%' returning id
    )
    select use_microseconds() from changed`,
}

interface Row {
  readonly is_precise: boolean
  readonly is_due: boolean
}

/**
 * Makes versions without microseconds fail to start, and later gives the times of the database
 * microseconds. Call it while no such server is live. An older server compares migrations before it
 * registers, so it counts as possible for the time for which a registered server counts as live.
 * Returns whether times have microseconds.
 */
export async function useMicroseconds(database: Database): Promise<boolean> {
  await database.execute(REJECT_OLDER_SERVERS, [])
  const [row] = await database.execute<Row>(READ_REJECTION, [])
  if (row?.is_precise === true) return true
  if (row?.is_due !== true) return false
  await database.transaction(async (locked) => {
    await locked.execute(PREPARE, [])
    await locked.execute(USE_MICROSECONDS, [])
  })
  return true
}
