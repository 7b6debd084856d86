import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { TABLES } from '../../src/cmd/tables.ts'
import { restoreBackup } from '../../src/store/backups/restore-backup.ts'
import { writeBackup } from '../../src/store/backups/write-backup.ts'

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

/** A backup of a database, in memory. */
export async function backupOf(url: string): Promise<Buffer> {
  const output = new PassThrough()
  const bytes = buffer(output)
  await writeBackup(url, output, { tables: TABLES, onTable: () => undefined })
  output.end()
  return bytes
}

/** Restores a backup, by default to a database without a schema. */
export async function restoreTo(
  url: string,
  backup: Buffer,
  { isCopy = false, replace = false } = {},
): Promise<void> {
  await restoreBackup(new PassThrough().end(backup), {
    url,
    migrations: MIGRATIONS,
    tables: TABLES,
    replace,
    isCopy,
    onTable: () => undefined,
  })
}
