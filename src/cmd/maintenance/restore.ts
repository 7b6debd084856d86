import { TABLES } from '../tables.ts'
import { restoreBackup } from '../../store/backups/restore-backup.ts'
import { must } from '../../lib/assert.ts'
import { MIGRATIONS } from '../../capability/apply-migrations.ts'
import { openCommandDatabase } from './command-database.ts'
import type { MaintenanceCommand, MaintenanceContext } from './maintenance-command.ts'
import { openBackup } from './open-backup.ts'

const HELP = `Usage: flotilla restore FILE [--replace] [--copy]

Restores a backup into the database of DATABASE_URL, or into the embedded one in DATA_DIR. No server
may use the database. Either the whole backup is restored or nothing. - reads from standard input.

Resource versions from before the restore are invalid: watches get 410, and clients list again.

  --replace   delete everything that the database contains: resources, objects, webhooks, history,
              audit log, and the directory of shards
  --copy      the database will run beside its original: pause the webhooks, and delete what belongs
              to the original: the machines and stored snapshots of sandboxes, the keys of tokens,
              and the directory of shards
`

/** Restores a backup. */
export const restore: MaintenanceCommand = {
  name: 'restore',
  help: HELP,
  flags: ['replace', 'copy'],
  file: 'required',
  run: restoreFile,
}

async function restoreFile({ config, log, file, flags }: MaintenanceContext): Promise<number> {
  const source = await openBackup(must(file, 'FILE'))
  await using database = await openCommandDatabase(config, { log, use: 'exclusive' })
  const { version, time } = await restoreBackup(source, {
    url: database.url,
    migrations: MIGRATIONS,
    tables: TABLES,
    replace: flags.has('replace'),
    isCopy: flags.has('copy'),
    onTable: (table, rows) => {
      if (rows > 0) console.error(`  ${table.padEnd(24)} ${rows}`)
    },
  })
  console.error(`Restored the backup of ${time}, made by Flotilla ${version}.`)
  return 0
}
