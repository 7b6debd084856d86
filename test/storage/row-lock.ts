import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** An open transaction that holds a lock; disposing it releases the lock. */
export interface Lock extends AsyncDisposable {
  /**
   * Resolves when this number of other connections, by default one, wait for this lock, also behind
   * each other.
   */
  awaited(connections?: number): Promise<void>
}

/** Locks the row of a resource, for updates or in share mode. */
export function lockResource(
  databaseUrl: string,
  id: string,
  mode: 'update' | 'share' = 'update',
): Promise<Lock> {
  return lock(databaseUrl, {
    text: `select id from resources where id = $1 for ${mode}`,
    values: [id],
  })
}

/** Locks the row of an object of a plane, for updates. */
export function lockObject(databaseUrl: string, resource: string, name: string): Promise<Lock> {
  return lock(databaseUrl, {
    text: 'select name from objects where resource = $1 and name = $2 for update',
    values: [resource, name],
  })
}

/** Locks a table against writes, or also against reads. */
export function lockTable(
  databaseUrl: string,
  table: 'resources' | 'audit_events',
  against: 'writes' | 'reads and writes' = 'reads and writes',
): Promise<Lock> {
  const mode = against === 'writes' ? 'share' : 'access exclusive'
  return lock(databaseUrl, { text: `lock table ${table} in ${mode} mode` })
}

/** Inserts a name and rolls back when disposed: other creates of the name wait, then succeed. */
export function lockName(databaseUrl: string, kind: string, name: string): Promise<Lock> {
  return lock(databaseUrl, {
    text: `insert into resources (id, kind, name, generation, version, spec, labels, conditions,
        cond, created_time, updated_time, created_by, updated_by)
      values ('held-' || $2, $1, $2, 1, 1, '{}', '{}', '[]', '{}', now(), now(), 'a', 'a')`,
    values: [kind, name],
  })
}

/** The sessions that wait for this one, or for a session that waits for it. */
const WAITING = `
  with recursive blocking as (
    select pid, unnest(pg_blocking_pids(pid)) as blocker from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  ), waiting as (
    select pid from blocking where blocker = pg_backend_pid()
    union
    select blocking.pid from blocking join waiting on blocker = waiting.pid
  )
  select pid from waiting`

async function lock(databaseUrl: string, statement: pg.QueryConfig): Promise<Lock> {
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
  for (;;) {
    // Within a transaction, statistics are a snapshot until it is cleared.
    await client.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await client.query(WAITING)
    if (rowCount !== null && rowCount >= connections) return
    await sleep(20)
  }
}
