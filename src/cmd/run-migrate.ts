import { kinds as builtInKinds } from '../apis/hyperfleet/kinds/index.ts'
import { type Config, readConfig } from '../config/settings.ts'
import { openDatabase } from '../core/storage/database/database.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/start.ts'
import { createLifecycle } from '../lib/async/lifecycle.ts'
import { stopSignals } from '../lib/async/stop-signals.ts'
import { openLog } from '../lib/log/open-log.ts'
import { applyMigrations } from './apply-migrations.ts'
import { explainFailure } from './explain-failure.ts'

const HELP = `Usage: flotilla migrate

Waits for the database, applies the missing migrations, prints their names and ends. The server does
the same when it starts. The database is that of DATABASE_URL, or the embedded one in DATA_DIR.
'flotilla start --help' lists all settings.
`

/** Applies the missing migrations; ends the process. */
export async function runMigrate(words: readonly string[]): Promise<void> {
  const unknown = words.find((word) => word !== '--help' && word !== '-h')
  if (unknown !== undefined) {
    console.error(`unknown argument '${unknown}': see flotilla migrate --help`)
    process.exit(2)
  }
  if (words.length > 0) {
    process.stdout.write(HELP)
    return
  }
  try {
    const applied = await migrateDatabase(readConfig(builtInKinds))
    const lines = applied.map((name) => `Applied ${name}\n`)
    process.stdout.write(lines.length > 0 ? lines.join('') : 'The database is up to date.\n')
  } catch (error) {
    console.error(explainFailure(error))
    process.exit(1)
  }
  process.exit(0)
}

async function migrateDatabase(config: Config): Promise<readonly string[]> {
  const { log, flush } = await openLog({ ...config, logLevel: 'warn' })
  const { signal } = stopSignals()
  const lifecycle = createLifecycle((name, error) => {
    log.error({ err: error }, `closing ${name} failed`)
  })
  try {
    const url = config.databaseUrl ?? (await startEmbedded())
    const database = openDatabase({
      url,
      poolSize: 1,
      statementTimeoutMs: config.statementTimeoutMs,
      connectTimeoutMs: config.databaseConnectTimeoutMs,
      observe: () => undefined,
      onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
    })
    lifecycle.onClose('database', () => database[Symbol.asyncDispose]())
    return await applyMigrations(database, { url, log, signal })
  } finally {
    await lifecycle[Symbol.asyncDispose]()
    await flush()
  }

  async function startEmbedded(): Promise<string> {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    lifecycle.onClose('embedded PostgreSQL', () => embedded.stop())
    return embedded.url
  }
}
