import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A transaction that holds what others want; disposing it lets go. */
export interface RowLock extends AsyncDisposable {
  /** Resolves once another connection waits for a lock in this database. */
  awaited(): Promise<void>
}

/** Locks one resource's row. */
export function lockResource(databaseUrl: string, id: string): Promise<RowLock> {
  return lock(databaseUrl, {
    text: 'select id from resources where id = $1 for update',
    values: [id],
  })
}

/** Locks all resources, also against reads. */
export function lockResources(databaseUrl: string): Promise<RowLock> {
  return lock(databaseUrl, { text: 'lock table resources in access exclusive mode' })
}

async function lock(databaseUrl: string, statement: pg.QueryConfig): Promise<RowLock> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return {
    awaited: () => awaited(client),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function awaited(client: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount !== 0) return
    await sleep(20)
  }
  throw new Error('nothing waits for the lock')
}
