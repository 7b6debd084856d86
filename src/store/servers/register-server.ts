import type { JsonObject } from '../../lib/json/json.ts'
import type { Database } from '../database/database.ts'

/** A running server. */
export interface ServerRecord {
  readonly id: string
  /** Name of the machine. */
  readonly host: string
  /** Fingerprint of the configuration that all servers of the database must share. */
  readonly fingerprint: string
  readonly configuration: JsonObject
}

/** The key is arbitrary, but must be the same in all versions. */
const LOCK = { name: 'lock_servers', text: 'select pg_advisory_xact_lock(7300411926)' }

const REGISTER_SERVER = {
  name: 'register_server',
  text: `
    insert into servers (id, host, started_time, seen_time, fingerprint, configuration)
    values ($1::text, $2::text, clock_timestamp(), clock_timestamp(), $3::text, $4::json)
    returning started_time::text`,
}

/**
 * Adds a server and returns its start time by the database's clock, with all digits. A lock orders
 * registrations: a server that registers later has a later start time, and its heartbeat sees the
 * earlier servers.
 */
export async function registerServer(database: Database, server: ServerRecord): Promise<string> {
  const { id, host, fingerprint, configuration } = server
  const values = [id, host, fingerprint, JSON.stringify(configuration)]
  return database.transaction(async (locked) => {
    await locked.execute(LOCK, [])
    const rows = await locked.execute<{ started_time: string }>(REGISTER_SERVER, values)
    return rows[0]?.started_time ?? ''
  })
}

const UNREGISTER_SERVER = {
  name: 'unregister_server',
  text: 'delete from servers where id = $1::text',
}

/** Removes a stopping server. */
export async function unregisterServer(database: Database, id: string): Promise<void> {
  await database.execute(UNREGISTER_SERVER, [id])
}
