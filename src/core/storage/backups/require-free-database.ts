import type pg from 'pg'
import { LIVE_SERVERS_SINCE } from '../servers/live-servers.ts'
import { BackupError } from './backup-error.ts'

const TABLES = `
  select to_regclass('servers') is not null as servers,
    to_regclass('resources') is not null as resources,
    to_regclass('objects') is not null as objects`

const LIVE_SERVERS = `
  select host from servers where seen_time >= ${LIVE_SERVERS_SINCE} order by host`

/**
 * Rejects a database that a server uses, and one with resources or objects unless they are replaced.
 */
export async function requireFreeDatabase(client: pg.ClientBase, replace: boolean): Promise<void> {
  const { rows } = await client.query<{ servers: boolean; resources: boolean; objects: boolean }>(
    TABLES,
  )
  const [tables] = rows
  if (tables?.servers === true) {
    const servers = await client.query<{ host: string }>(LIVE_SERVERS)
    if (servers.rows.length > 0) {
      const hosts = servers.rows.map(({ host }) => host).join(', ')
      throw new BackupError(
        `${servers.rows.length} server(s) use the database, on ${hosts}: stop them first`,
      )
    }
  }
  if (replace) return
  const filled = [
    ...(tables?.resources === true && (await hasRows(client, 'resources')) ? ['resources'] : []),
    ...(tables?.objects === true && (await hasRows(client, 'objects')) ? ['objects'] : []),
  ]
  if (filled.length === 0) return
  throw new BackupError(
    `the database contains ${filled.join(' and ')}: restore into an empty database, or replace its ` +
      'content with --replace',
  )
}

async function hasRows(client: pg.ClientBase, table: 'resources' | 'objects'): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from ${table}) as found`,
  )
  return rows[0]?.found === true
}
