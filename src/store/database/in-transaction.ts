import type pg from 'pg'
import { currentWork, workFor } from '../../lib/tracing/main-thread.ts'
import type { Database } from './database.ts'
import { parametersOf } from './parameters-of.ts'
import { writeProblemOf } from './translate-database-error.ts'

/** How a transaction ends after its work. */
type Ending = 'commit' | 'rollback'

/**
 * The transaction of a process that is paused, or whose machine is unreachable, ends after this time
 * between two statements. Without it, its locks would block other servers for hours.
 */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = '5s'`

/** Runs work in one transaction on one connection. A failure rolls back all of it. */
export async function inTransaction<T>(
  database: Database,
  ending: Ending,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const caller = currentWork()
  const client = await database.pool.connect()
  let broken = false
  // A connection may break between two statements. Without a listener, this would end the process.
  const onError = (): void => {
    broken = true
  }
  client.on('error', onError)
  const end = (command: Ending): Promise<unknown> =>
    client.query(command).catch((error: unknown) => {
      broken = true
      if (command === 'commit') throw error
    })
  try {
    await client.query(BEGIN)
    workFor(caller)
    const result = await work(onClient(database, client))
    await end(ending)
    return result
  } catch (error) {
    await end('rollback')
    // The server may have become a standby, or the session read-only for as long as it lives.
    if (writeProblemOf(error) === 'read-only') broken = true
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
    workFor(caller)
  }
}

/** Runs plain statements on one connection. */
export function onClient(database: Database, client: pg.ClientBase): Database {
  return {
    ...database,
    execute: (statement, values) =>
      database.observed(
        statement.name,
        async () => (await client.query(database.queryOf(statement, values))).rows,
        'in transaction',
      ),
    query: (name, statement) =>
      database.observed(
        name,
        async () => (await client.query(statement.text, parametersOf(statement.values))).rows,
        'in transaction',
      ),
  }
}
