import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { addDays } from '../partitions/day-partitions.ts'
import { migrate } from '../database/migrate.ts'
import { type BackupHeader, readHeader, type TableHeader } from './backup-header.ts'
import { BackupReader } from './backup-reader.ts'
import { readTables } from './read-tables.ts'
import { openBackupClient } from './open-backup-client.ts'
import { requireFreeDatabase } from './require-free-database.ts'
import { requireSameSchema } from './require-same-schema.ts'
import type { Table } from '../tables/table.ts'
import { tablesInOrder } from './table-order.ts'
import type { OnTable } from './write-backup.ts'

interface RestoreOptions {
  readonly url: string
  /** The folder of the migrations. */
  readonly migrations: string
  /** Replaces the content of the database. */
  readonly tables: readonly Table[]
  readonly replace: boolean
  /** The database is a copy that runs beside its original. */
  readonly isCopy: boolean
  readonly onTable: OnTable
}

/**
 * Restores a backup from its uncompressed bytes in one transaction, so that a failure leaves the
 * database as it was, and then applies the migrations that are newer than the backup. The logs of
 * changes begin a new epoch: clients with resource versions of the old one list again. Returns the
 * header of the backup. Throws a BackupError if the database is in use or not empty, or if the backup
 * is damaged or newer than this build.
 */
export async function restoreBackup(
  bytes: AsyncIterable<Buffer>,
  { url, migrations, tables, replace, isCopy, onTable }: RestoreOptions,
): Promise<BackupHeader> {
  const reader = new BackupReader(bytes)
  const header = readHeader(await reader.line())
  await using client = await openBackupClient(url)
  await requireFreeDatabase(client, tables, replace)
  const last = header.migrations.at(-1)?.name
  await migrate(url, migrations, last === undefined ? {} : { last })
  await requireSameSchema(client, header.migrations)
  await client.query('begin')
  try {
    await restoreTables(client, reader, { tables, isCopy, onTable })
    await restoreSequences(client, header)
    await beginNewEpochs(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  await client.query('analyze')
  await migrate(url, migrations)
  return header
}

async function restoreTables(
  client: pg.ClientBase,
  reader: BackupReader,
  { tables: schema, isCopy, onTable }: Pick<RestoreOptions, 'tables' | 'isCopy' | 'onTable'>,
): Promise<void> {
  const names = schema.filter(({ backup }) => backup !== 'none').map(({ name }) => name)
  const stored = await tablesInOrder(client, names)
  const tables = stored.map(({ name }) => pg.escapeIdentifier(name))
  // The triggers of writes would add the restored rows to the outbox and to the counts.
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${tables.join(', ')}`)
  await readTables(reader, async (header, rows) => {
    const count = await restoreTable(client, header, rows)
    onTable(header.table, count)
    return count
  })
  // A schema that is older than a table does not have it.
  const present = schema.filter(({ name }) => stored.some((table) => table.name === name))
  for (const { onCopy, onRestore } of present) {
    if (isCopy && onCopy !== undefined) await client.query(onCopy)
    if (onRestore !== undefined) await client.query(onRestore)
  }
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
}

async function restoreTable(
  client: pg.ClientBase,
  { table, columns, days = [] }: TableHeader,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  await addDays(client, table, days)
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const target = client.query(copyFrom(`copy ${pg.escapeIdentifier(table)} (${list}) from stdin`))
  await pipeline(rows, target)
  return target.rowCount
}

async function restoreSequences(client: pg.ClientBase, { sequences }: BackupHeader): Promise<void> {
  for (const { table, column, last, used } of sequences) {
    await client.query(
      `select setval(pg_get_serial_sequence(quote_ident($1::text), $2::text), $3::bigint, $4::boolean)`,
      [table, column, last, used],
    )
  }
}

/**
 * Another origin makes the next server begin a new epoch, even if the backup returns to the database
 * that it was made of. Revisions of objects that were assigned after the backup are skipped.
 */
async function beginNewEpochs(client: pg.ClientBase): Promise<void> {
  await client.query(`update head set origin = 'restored'`)
  await client.query(`update object_head set origin = 'restored'`)
}
