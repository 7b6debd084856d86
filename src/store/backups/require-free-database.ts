import type pg from 'pg'
import { LIVE_SERVERS_SINCE } from '../servers/live-servers.ts'
import { BackupError } from './backup-error.ts'
import type { Table } from '../tables/table.ts'
import { tablesInOrder } from './table-order.ts'

const LIVE_SERVERS = `
  select host from servers where seen_time >= ${LIVE_SERVERS_SINCE} order by host`

/** Rejects a database that a server uses, and one with data of users unless it is replaced. */
export async function requireFreeDatabase(
  client: pg.ClientBase,
  tables: readonly Table[],
  replace: boolean,
): Promise<void> {
  const [servers] = await tablesInOrder(client, ['servers'])
  if (servers !== undefined) await requireNoServers(client)
  if (replace) return
  // A server that starts on an empty database writes to other tables only.
  const ofUsers = tables.filter(({ isUserData }) => isUserData === true).map(({ name }) => name)
  const existing = new Set((await tablesInOrder(client, ofUsers)).map(({ name }) => name))
  const filled: string[] = []
  for (const name of ofUsers) {
    if (existing.has(name) && (await hasRows(client, name))) filled.push(name)
  }
  if (filled.length === 0) return
  throw new BackupError(
    `the database contains ${filled.join(', ')}: restore into an empty database, or replace its ` +
      'content with --replace',
  )
}

async function requireNoServers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ host: string }>(LIVE_SERVERS)
  if (rows.length === 0) return
  const hosts = rows.map(({ host }) => host).join(', ')
  throw new BackupError(`${rows.length} server(s) use the database, on ${hosts}: stop them first`)
}

async function hasRows(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from ${table}) as found`,
  )
  return rows[0]?.found === true
}
