import type { AppliedMigration } from '../database/migration-history.ts'
import { readAppliedMigrations } from '../database/read-applied-migrations.ts'
import { LIVE_SERVERS_SINCE } from '../servers/live-servers.ts'
import { openBackupClient } from '../backups/open-backup-client.ts'

/** The state of a database, as far as it affects Flotilla. */
export interface DatabaseFacts {
  /** Such as 180004. */
  readonly versionNumber: number
  readonly encoding: string
  /** Seconds by which the clock of the database is ahead of this machine. */
  readonly clockAhead: number
  readonly isReadOnly: boolean
  readonly maxConnections: number
  readonly connections: number
  readonly hasAutovacuum: boolean
  /** The age in transactions of the oldest row version; PostgreSQL stops at two billion. */
  readonly transactionAge: number
  readonly invalidIndexes: readonly string[]
  /** Seconds of the longest open transaction of another session. */
  readonly longestTransaction: number
  readonly bytes: number
  /** The applied migrations; null if the database has no tables of Flotilla. */
  readonly migrations: readonly AppliedMigration[] | null
  /** The live servers, with a fingerprint of their configuration; null without tables. */
  readonly servers: readonly { readonly host: string; readonly fingerprint: string }[] | null
  /** Seconds that the oldest change has waited in the outbox. */
  readonly outboxAge: number
}

type Settings = Omit<DatabaseFacts, 'clockAhead' | 'migrations' | 'servers' | 'outboxAge'>

const SETTINGS = `
  select current_setting('server_version_num')::integer as "versionNumber",
    current_setting('server_encoding') as encoding,
    pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean
      as "isReadOnly",
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer as "maxConnections",
    (select count(*) from pg_stat_activity where backend_type = 'client backend')::integer
      as connections,
    current_setting('autovacuum')::boolean as "hasAutovacuum",
    (select age(datfrozenxid) from pg_database where datname = current_database())
      as "transactionAge",
    array(select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace = current_schema()::regnamespace
      order by 1) as "invalidIndexes",
    coalesce((select extract(epoch from max(clock_timestamp() - xact_start))
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'), 0)::float8 as "longestTransaction",
    pg_database_size(current_database())::float8 as bytes`

const CLOCK = `select extract(epoch from clock_timestamp())::float8 as seconds`

const TABLES = `select to_regclass('_prisma_migrations') is not null
  and to_regclass('servers') is not null and to_regclass('outbox') is not null as exist`

const SERVERS = `
  select host, fingerprint from servers
  where seen_time >= ${LIVE_SERVERS_SINCE} order by host`

const OUTBOX_AGE = `
  select coalesce(extract(epoch from clock_timestamp() - min(written_time)), 0)::float8 as seconds
  from outbox`

/** Reads the state of a database. `now` returns the machine's time in milliseconds. */
export async function readDatabaseFacts(url: string, now: () => number): Promise<DatabaseFacts> {
  await using client = await openBackupClient(url)
  const query = async <T extends object>(text: string): Promise<readonly T[]> =>
    (await client.query<T>(text)).rows
  const one = async <T extends object>(text: string): Promise<T> => {
    const [row] = await query<T>(text)
    if (row === undefined) throw new Error(`no row: ${text}`)
    return row
  }
  const settings = await one<Settings>(SETTINGS)
  const before = now()
  const { seconds } = await one<{ seconds: number }>(CLOCK)
  const clockAhead = seconds - (before + now()) / 2000
  const { exist } = await one<{ exist: boolean }>(TABLES)
  if (!exist) return { ...settings, clockAhead, migrations: null, servers: null, outboxAge: 0 }
  return {
    ...settings,
    clockAhead,
    migrations: await readAppliedMigrations(client),
    servers: await query<{ host: string; fingerprint: string }>(SERVERS),
    outboxAge: (await one<{ seconds: number }>(OUTBOX_AGE)).seconds,
  }
}
