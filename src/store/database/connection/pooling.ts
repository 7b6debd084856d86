import type pg from 'pg'
import { withTimeout } from '../../../lib/async/with-timeout.ts'
import { openClient } from './open-client.ts'
import { codesOf } from '../translate-database-error.ts'

/** How often a client looks for the backend of the other one. */
const ATTEMPTS = 3
/** A pooler in session mode may have no connection for a second client. */
const TIMEOUT_MS = 2000

/** SQLSTATEs of a prepared statement that belongs to another client: unknown, or already there. */
const OTHER_CLIENT: ReadonlySet<string> = new Set(['26000', '42P05'])

/**
 * Whether a pooler assigns a connection to PostgreSQL for each transaction instead of each client.
 * Such a pooler loses the state of sessions: locks, notifications, settings.
 */
export async function isTransactionPooler(url: string): Promise<boolean> {
  await using first = await openClient(url)
  const pid = await backendOf(first)
  // PostgreSQL identifies a session by its process. A pooler chooses the number.
  if (Reflect.get(first, 'processID') === pid) return false
  await using second = await openClient(url)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // An idle connection is assigned to the next client that runs a statement.
    if ((await withTimeout(backendOf(second), TIMEOUT_MS)) === pid) return true
    if ((await backendOf(first)) !== pid) return true
  }
  return false
}

/** Whether two clients of a pooler can prepare different statements under one name. */
export async function hasPreparedStatements(url: string): Promise<boolean> {
  await using first = await openClient(url)
  await using second = await openClient(url)
  const name = 'flotilla_probe'
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await first.query({ name, text: 'select 1 as one' })
      await second.query({ name, text: 'select 2 as two' })
    }
    return true
  } catch (error) {
    if (codesOf(error).some((code) => OTHER_CLIENT.has(code))) return false
    throw error
  }
}

async function backendOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? null
}
