import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { checkReplication } from '../store/database/check-replication.ts'
import { checkServer } from '../store/database/check-server.ts'
import { checkDirectUrl } from '../store/database/connection/check-direct-url.ts'
import { connect } from '../store/database/connect.ts'
import type { Database } from '../store/database/database.ts'
import { migrate } from '../store/database/migrate.ts'
import { SettingError } from '../lib/setting-error.ts'

const DATABASE_TIMEOUT_MS = 30_000
const NEVER_ABORTED = new AbortController().signal
/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

interface MigrationOptions {
  readonly log: Logger
  /** Ends the waits for an unreachable database and for transactions that block a migration. */
  readonly signal?: AbortSignal | undefined
}

/** Waits for the database, checks that Flotilla can use it, and applies the missing migrations. */
export async function applyMigrations(
  database: Database,
  { log, signal = NEVER_ABORTED }: MigrationOptions,
): Promise<readonly string[]> {
  await connect(database, {
    timeoutMs: DATABASE_TIMEOUT_MS,
    signal,
    onWait: (reason) => log.warn({ reason }, 'the database does not answer yet'),
  })
  const problems = await checkServer(database)
  if (problems.length > 0) throw new SettingError(`DATABASE_URL: ${problems.join('; ')}`)
  const unpooled = await checkDirectUrl(database)
  if (unpooled !== null) throw new SettingError(unpooled)
  if (database.isSynchronous) await requireReplication(database, log)
  const applied = await migrate(database.connection.directUrl, MIGRATIONS, {
    onNewer: (newer) =>
      log.warn({ migrations: newer }, 'the database has migrations of a newer version'),
    onWait: (migration) =>
      log.warn({ migration }, 'a migration waits for transactions that use its tables'),
    signal,
  })
  if (applied.length > 0) log.info({ migrations: applied }, 'migrated the database')
  return applied
}

async function requireReplication(database: Database, log: Logger): Promise<void> {
  const { problem, isAlone } = await checkReplication(database)
  if (problem !== null) throw new SettingError(`DATABASE_OPTIONS: synchronous: ${problem}`)
  if (isAlone) {
    log.warn('the database has no synchronous standby: acknowledged writes are on one machine only')
  }
}
