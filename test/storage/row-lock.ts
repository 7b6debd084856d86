import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** An open transaction that holds a lock; disposing it releases the lock. */
export interface RowLock extends AsyncDisposable {
  /** Resolves when this number of other connections, by default one, wait for a lock. */
  awaited(connections?: number): Promise<void>
}

/** Locks the row of a resource, for updates or in share mode. */
export function lockResource(
  databaseUrl: string,
  id: string,
  mode: 'update' | 'share' = 'update',
): Promise<RowLock> {
  return lock(databaseUrl, {
    text: `select id from resources where id = $1 for ${mode}`,
    values: [id],
  })
}

/** Locks the table of resources, also against reads. */
export function lockResources(databaseUrl: string): Promise<RowLock> {
  return lock(databaseUrl, { text: 'lock table resources in access exclusive mode' })
}

/** Inserts a name and rolls back when disposed: other creates of the name wait, then succeed. */
export function lockName(databaseUrl: string, kind: string, name: string): Promise<RowLock> {
  return lock(databaseUrl, {
    text: `insert into resources (id, kind, name, generation, version, spec, labels, conditions,
        cond, created_time, updated_time, created_by, updated_by)
      values ('held-' || $2, $1, $2, 1, 1, '{}', '{}', '[]', '{}', now(), now(), 'a', 'a')`,
    values: [kind, name],
  })
}

async function lock(databaseUrl: string, statement: pg.QueryConfig): Promise<RowLock> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A test may stop the database while the lock is held.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return {
    awaited: (connections = 1) => awaited(client, connections),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function awaited(client: pg.Client, connections: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    // Within a transaction, statistics are a snapshot until it is cleared.
    await client.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount !== null && rowCount >= connections) return
    await sleep(20)
  }
  throw new Error('too few connections wait for the lock')
}
