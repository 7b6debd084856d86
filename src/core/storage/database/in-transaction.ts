import type pg from 'pg'
import type { Database } from './database.ts'

/** How a transaction ends after its work. */
type Ending = 'commit' | 'rollback'

/** Runs work in one transaction on one connection. A failure rolls back all of it. */
export async function inTransaction<T>(
  database: Database,
  ending: Ending,
  work: (database: Database) => Promise<T>,
): Promise<T> {
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
    await client.query('begin')
    const result = await work(onClient(database, client))
    await end(ending)
    return result
  } catch (error) {
    await end('rollback')
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

function onClient(database: Database, client: pg.PoolClient): Database {
  return {
    ...database,
    execute: async (statement, values) =>
      (await client.query({ ...statement, values: [...values] })).rows,
    query: async (_name, statement) => (await client.query(statement.text, statement.values)).rows,
  }
}
