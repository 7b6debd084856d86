import { openDatabase } from '../../store/database/open-database.ts'
import { applyMigrations } from '../../capability/apply-migrations.ts'
import { openCommandDatabase } from './command-database.ts'
import type { MaintenanceCommand, MaintenanceContext } from './maintenance-command.ts'

const HELP = `Usage: flotilla migrate

Waits for the database, applies the missing migrations, prints their names and ends. The server does
the same when it starts. The database is that of DATABASE_URL, or the embedded one in DATA_DIR.
'flotilla start --help' lists all settings.
`

/** Applies the missing migrations. */
export const migrate: MaintenanceCommand = { name: 'migrate', help: HELP, run: migrateDatabase }

async function migrateDatabase({ config, log }: MaintenanceContext): Promise<number> {
  await using command = await openCommandDatabase(config, { log, use: 'exclusive' })
  const { url } = command
  await using database = openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    observe: () => undefined,
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  const applied = await applyMigrations(database, { log })
  const lines = applied.map((name) => `Applied ${name}\n`)
  process.stdout.write(lines.length > 0 ? lines.join('') : 'The database is up to date.\n')
  return 0
}
