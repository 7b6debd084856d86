import { createHash } from 'node:crypto'
import type pg from 'pg'
import { EXACT_TEXT, openClient } from '../../store/database/connection/open-client.ts'
import { MoveError } from './move-error.ts'

/** Whether a connection holds the lock of a move, or reads and writes rows. */
type Purpose = 'lock' | 'copy'

/** A connection for the move of a tenant. */
export function openMoveClient(
  url: string,
  tenant: string,
  purpose: Purpose = 'copy',
): Promise<pg.Client & AsyncDisposable> {
  return openClient(url, { name: sessionName(tenant, purpose), options: EXACT_TEXT })
}

const SESSIONS = `
  pg_stat_activity where application_name = $1::text and datname = current_database()`

const END_SESSIONS = `select pg_terminate_backend(pid, $2::integer) from ${SESSIONS}`

const COUNT_SESSIONS = `select count(*)::integer as count from ${SESSIONS}`

const END_TIMEOUT_MS = 10_000

/**
 * Ends the connections that processes have opened for the move of a tenant. A process that is paused,
 * or whose machine is lost, keeps its locks and its transaction otherwise. The directory can be in the
 * database of a shard, so connections with the other purpose are kept.
 */
export async function endMoveSessions(
  url: string,
  tenant: string,
  purpose: Purpose,
): Promise<void> {
  await using client = await openClient(url, { name: 'flotilla move' })
  const name = sessionName(tenant, purpose)
  await client.query(END_SESSIONS, [name, END_TIMEOUT_MS])
  // A connection that has ended before its turn is no problem.
  const { rows } = await client.query<{ count: number }>(COUNT_SESSIONS, [name])
  if (rows[0]?.count !== 0) {
    throw new MoveError('a connection of an earlier attempt to move the tenant does not end')
  }
}

/** The name in `pg_stat_activity`, which has at most 63 bytes. */
function sessionName(tenant: string, purpose: Purpose): string {
  const hash = createHash('sha256').update(tenant).digest('hex').slice(0, 32)
  return `flotilla move ${purpose} ${hash}`
}
