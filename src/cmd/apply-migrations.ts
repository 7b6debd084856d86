import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { checkServer } from '../core/storage/database/check-server.ts'
import { connect } from '../core/storage/database/connect.ts'
import type { Database } from '../core/storage/database/database.ts'
import { migrate } from '../core/storage/database/migrate.ts'
import { SettingError } from '../lib/setting-error.ts'

const DATABASE_TIMEOUT_MS = 30_000
const NEVER_ABORTED = new AbortController().signal
const MIGRATIONS = new URL('../../prisma/migrations', import.meta.url)

interface MigrationOptions {
  readonly url: string
  readonly log: Logger
  /** Ends the wait for an unreachable database. */
  readonly signal?: AbortSignal | undefined
}

/** Waits for the database, checks that Flotilla can use it, and applies the missing migrations. */
export async function applyMigrations(
  database: Database,
  { url, log, signal = NEVER_ABORTED }: MigrationOptions,
): Promise<readonly string[]> {
  await connect(database, {
    timeoutMs: DATABASE_TIMEOUT_MS,
    signal,
    onWait: (reason) => log.warn({ reason }, 'the database does not answer yet'),
  })
  const problems = await checkServer(database)
  if (problems.length > 0) throw new SettingError(`DATABASE_URL: ${problems.join('; ')}`)
  const applied = await migrate(url, fileURLToPath(MIGRATIONS))
  if (applied.length > 0) log.info({ migrations: applied }, 'migrated the database')
  return applied
}
