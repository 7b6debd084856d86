import { TABLES } from '../tables.ts'
import { createWriteStream, rmSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BackupError } from '../../store/backups/backup-error.ts'
import { verifyBackup } from '../../store/backups/verify-backup.ts'
import { writeBackup } from '../../store/backups/write-backup.ts'
import { MIGRATIONS } from '../../capability/apply-migrations.ts'
import { openCommandDatabase } from './command-database.ts'
import type { MaintenanceCommand, MaintenanceContext } from './maintenance-command.ts'
import { openBackup } from './open-backup.ts'

const HELP = `Usage: flotilla backup [FILE]
       flotilla backup --verify FILE

Writes all data of the database to a file, in the state of one moment, and reads the file again to
verify it. Servers can run meanwhile. The file is compressed and contains secrets, such as the signing
keys of service accounts: only this user can read it. FILE is flotilla-<time>.backup.gz by default;
- writes to standard output.

The database is that of DATABASE_URL, or the embedded one in DATA_DIR.
Restore the file with: flotilla restore FILE

  --verify   only verify an existing backup: it is complete, its rows have their checksums, and this
             version has the migrations of its schema
`

/** Backs up the database, or verifies a backup. */
export const backup: MaintenanceCommand = {
  name: 'backup',
  help: HELP,
  flags: ['verify'],
  file: 'optional',
  run: async (context) => {
    if (context.flags.has('verify')) await verify(context)
    else await backUp(context)
    return 0
  },
}

async function verify({ file }: MaintenanceContext): Promise<void> {
  if (file === null) throw new BackupError('--verify needs the name of a backup')
  const verified = await verifyBackup(await openBackup(file), MIGRATIONS)
  const { time, version, rows, hasChecksums, migrations } = verified
  console.error(`${file} is complete: ${rows} rows of ${time}, written by Flotilla ${version}`)
  console.error(`  schema: ${migrations.at(-1)?.name ?? 'unknown'}`)
  if (!hasChecksums) console.error('  rows without checksums, as older versions wrote them')
}

async function backUp({ config, log, file }: MaintenanceContext): Promise<void> {
  if (file === '-' && process.stdout.isTTY) {
    throw new BackupError('standard output is a terminal: name a file, or redirect the output')
  }
  await using database = await openCommandDatabase(config, { log, use: 'existing' })
  if (file === '-') await compressTo(process.stdout, database.url)
  else await writeFile(file ?? defaultName(), database.url)
}

function defaultName(): string {
  return `flotilla-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup.gz`
}

/** Without the whole backup, there is no file with its name. */
async function writeFile(file: string, url: string): Promise<void> {
  const draft = `${file}.partial`
  const removeDraft = (): void => rmSync(draft, { force: true })
  process.once('exit', removeDraft)
  try {
    // A file that another user created would keep its owner and mode.
    await rm(draft, { force: true })
    await compressTo(createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), url)
    await verifyBackup(await openBackup(draft), MIGRATIONS)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    process.off('exit', removeDraft)
  }
  const { size } = await stat(file)
  console.error(`Wrote ${file} (${(size / 1e6).toFixed(1)} MB)`)
}

async function compressTo(output: Writable, url: string): Promise<void> {
  const gzip = createGzip({ level: 3 })
  const written = pipeline(gzip, output)
  // The failure is thrown below, also if it happens before.
  written.catch(() => undefined)
  const read = writeBackup(url, gzip, {
    tables: TABLES,
    onTable: (table, rows) => {
      if (rows > 0) console.error(`  ${table.padEnd(24)} ${rows}`)
    },
  })
  await Promise.race([read, written])
  gzip.end()
  await written
}
