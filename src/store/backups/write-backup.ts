import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { packageVersion } from '../../lib/package-version.ts'
import { newlinesIn } from '../../lib/text/newlines-in.ts'
import { daysOf } from '../partitions/day-partitions.ts'
import { readAppliedMigrations } from '../database/read-applied-migrations.ts'
import { BackupError } from './backup-error.ts'
import {
  type BackupFooter,
  type BackupHeader,
  END_OF_ROWS,
  type SequenceState,
  type TableHeader,
} from './backup-header.ts'
import { openBackupClient } from './open-backup-client.ts'
import type { Table } from '../tables/table.ts'
import { savedTables, type StoredTable, tablesInOrder } from './table-order.ts'

const SNAPSHOT_TIME = `
  select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time`

const HAS_SCHEMA = `select to_regclass('_prisma_migrations') is not null as exists`

const IDENTITY_COLUMNS = `
  select t.relname as "table", a.attname as "column",
    pg_get_serial_sequence(quote_ident(t.relname), a.attname) as sequence
  from pg_attribute a join pg_class t on t.oid = a.attrelid
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and a.attidentity <> ''
  order by t.relname, a.attnum`

/** Receives the progress of a backup or a restore: a table and the number of its rows. */
export type OnTable = (table: string, rows: number) => void

/**
 * Writes the tables of Flotilla to a stream in the state of one moment: a transaction with one snapshot reads
 * them. The server can run meanwhile; no lock blocks its writes. The caller compresses and ends the
 * stream. Returns the number of rows of each table.
 */
export async function writeBackup(
  url: string,
  output: Writable,
  { tables, onTable }: { readonly tables: readonly Table[]; readonly onTable: OnTable },
): Promise<BackupFooter['rows']> {
  await using client = await openBackupClient(url)
  await client.query('begin isolation level repeatable read read only')
  await writeLine(output, await headerOf(client))
  const counts: Record<string, number> = {}
  const checksums: Record<string, string> = {}
  for (const table of await tablesInOrder(client, savedTables(tables))) {
    const { count, checksum } = await writeTable(client, table, output)
    checksums[table.name] = checksum
    counts[table.name] = count
    onTable(table.name, count)
  }
  await writeLine(output, { rows: counts, checksums } satisfies BackupFooter)
  await client.query('commit')
  return counts
}

async function headerOf(client: pg.ClientBase): Promise<BackupHeader> {
  const schema = await client.query<{ exists: boolean }>(HAS_SCHEMA)
  if (schema.rows[0]?.exists !== true) {
    throw new BackupError('the database has no tables of Flotilla: check DATABASE_URL')
  }
  const { rows: times } = await client.query<{ time: string }>(SNAPSHOT_TIME)
  return {
    flotilla_backup: 1,
    version: packageVersion(),
    time: times[0]?.time ?? '',
    migrations: await readAppliedMigrations(client),
    sequences: await readSequences(client),
  }
}

async function readSequences(client: pg.ClientBase): Promise<readonly SequenceState[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    IDENTITY_COLUMNS,
  )
  const states: SequenceState[] = []
  for (const { table, column, sequence } of rows) {
    // The name of a sequence is quoted by PostgreSQL.
    const state = await client.query<{ last: string; used: boolean }>(
      `select last_value::text as last, is_called as used from ${sequence}`,
    )
    states.push(...state.rows.map(({ last, used }) => ({ table, column, last, used })))
  }
  return states
}

async function writeTable(
  client: pg.ClientBase,
  { name, columns }: StoredTable,
  output: Writable,
): Promise<{ readonly count: number; readonly checksum: string }> {
  const days = await daysOf(client, name)
  const header: TableHeader = { table: name, columns, ...(days.length > 0 && { days }) }
  await writeLine(output, header)
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  // A query, because COPY of a partitioned table itself copies nothing.
  const rows = client.query(
    copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`),
  )
  let count = 0
  const hash = createHash('sha256')
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    count += newlinesIn(chunk)
    hash.update(chunk)
    await write(output, chunk)
  }
  await write(output, `${END_OF_ROWS}\n`)
  return { count, checksum: hash.digest('hex') }
}

function writeLine(output: Writable, line: object): Promise<void> {
  return write(output, `${JSON.stringify(line)}\n`)
}

async function write(output: Writable, data: string | Buffer): Promise<void> {
  if (!output.write(data)) await once(output, 'drain')
}
