import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import type { Logger } from 'pino'
import { BackupError } from '../../core/storage/backups/backup-error.ts'
import { restoreBackup } from '../../core/storage/backups/restore-backup.ts'
import type { Config } from '../../config/settings.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { openCommandDatabase } from './command-database.ts'
import { failUsage, runMaintenance } from './run-maintenance.ts'

const HELP = `Usage: flotilla restore FILE [--replace]

Restores a backup into the database of DATABASE_URL, or into the embedded one in DATA_DIR. No server
may use the database. Either the whole backup is restored or nothing. - reads from standard input.

Resource versions from before the restore are invalid: watches get 410, and clients list again.

  --replace   delete the resources and objects that the database contains
`

interface Words {
  readonly help: boolean
  readonly file: string
  readonly replace: boolean
}

/** Restores a backup; ends the process. */
export async function runRestore(words: readonly string[]): Promise<void> {
  const { help, file, replace } = readWords(words)
  if (help) {
    process.stdout.write(HELP)
    return
  }
  if (file === '') failUsage('restore', 'FILE is missing')
  await runMaintenance({
    name: 'restore',
    run: (config, log) => restore(config, log, { file, replace }),
  })
}

function readWords(words: readonly string[]): Words {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { help: { type: 'boolean', short: 'h' }, replace: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (positionals.length > 1) failUsage('restore', `unexpected argument '${positionals[1]}'`)
    const { help = false, replace = false } = values
    return { help, file: positionals[0] ?? '', replace }
  } catch (error) {
    return failUsage('restore', errorMessage(error))
  }
}

async function restore(
  config: Config,
  log: Logger,
  { file, replace }: Pick<Words, 'file' | 'replace'>,
): Promise<number> {
  const source = file === '-' ? process.stdin : await openFile(file)
  await using database = await openCommandDatabase(config, { log, use: 'replace' })
  const { version, time } = await restoreBackup(unzip(source, file), {
    url: database.url,
    migrations: fileURLToPath(new URL('../../../prisma/migrations', import.meta.url)),
    replace,
    onTable: (table, rows) => {
      if (rows > 0) console.error(`  ${table.padEnd(24)} ${rows}`)
    },
  })
  console.error(`Restored the backup of ${time}, made by Flotilla ${version}.`)
  return 0
}

/** Opens the file before the database is touched. */
async function openFile(file: string): Promise<Readable> {
  try {
    return (await open(file)).createReadStream()
  } catch (error) {
    throw new BackupError(`the backup cannot be opened: ${errorMessage(error)}`, { cause: error })
  }
}

async function* unzip(source: Readable, file: string): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  try {
    yield* gunzip
  } catch (error) {
    throw new BackupError(`${file} cannot be read as a backup: ${errorMessage(error)}`, {
      cause: error,
    })
  }
}
