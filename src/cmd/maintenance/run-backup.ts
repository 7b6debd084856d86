import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { BackupError } from '../../core/storage/backups/backup-error.ts'
import { writeBackup } from '../../core/storage/backups/write-backup.ts'
import type { Config } from '../../config/settings.ts'
import { errorMessage } from '../../lib/error-message.ts'
import type { Logger } from 'pino'
import { openCommandDatabase } from './command-database.ts'
import { failUsage, runMaintenance } from './run-maintenance.ts'

const HELP = `Usage: flotilla backup [FILE]

Writes all data of the database to a file, in the state of one moment. Servers can run meanwhile.
The file is compressed and contains secrets, such as the signing keys of service accounts: only this
user can read it. FILE is flotilla-<time>.backup.gz by default; - writes to standard output.

The database is that of DATABASE_URL, or the embedded one in DATA_DIR.
Restore the file with: flotilla restore FILE
`

/** Backs up the database; ends the process. */
export async function runBackup(words: readonly string[]): Promise<void> {
  const { help, file } = readWords(words)
  if (help) {
    process.stdout.write(HELP)
    return
  }
  await runMaintenance({ name: 'backup', run: (config, log) => backUp(config, log, file) })
}

function readWords(words: readonly string[]): { help: boolean; file: string } {
  const name = `flotilla-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup.gz`
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (positionals.length > 1) failUsage('backup', `unexpected argument '${positionals[1]}'`)
    return { help: values.help === true, file: positionals[0] ?? name }
  } catch (error) {
    return failUsage('backup', errorMessage(error))
  }
}

async function backUp(config: Config, log: Logger, file: string): Promise<number> {
  if (file === '-' && process.stdout.isTTY) {
    throw new BackupError('standard output is a terminal: name a file, or redirect the output')
  }
  await using database = await openCommandDatabase(config, { log, use: 'read' })
  if (file === '-') {
    await compressTo(process.stdout, database.url)
    return 0
  }
  // Without the whole backup, there is no file with its name.
  const draft = `${file}.partial`
  try {
    await compressTo(createWriteStream(draft, { mode: 0o600, flush: true }), database.url)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  const { size } = await stat(file)
  console.error(`Wrote ${file} (${(size / 1e6).toFixed(1)} MB)`)
  return 0
}

async function compressTo(output: Writable, url: string): Promise<void> {
  const gzip = createGzip({ level: 3 })
  const written = pipeline(gzip, output)
  // The failure is thrown below, also if it happens before.
  written.catch(() => undefined)
  const read = writeBackup(url, gzip, (table, rows) => {
    if (rows > 0) console.error(`  ${table.padEnd(24)} ${rows}`)
  })
  await Promise.race([read, written])
  gzip.end()
  await written
}
