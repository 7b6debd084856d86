import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { checkServer } from '../../store/database/check-server.ts'
import { connect } from '../../store/database/connect.ts'
import type { Database } from '../../store/database/database.ts'
import { openDatabase } from '../../store/database/open-database.ts'
import { migrate } from '../../store/database/migrate.ts'
import type { Metrics } from '../../http/observability/metrics.ts'
import { SettingError } from '../../lib/setting-error.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 30_000
const NEVER_ABORTED = new AbortController().signal

/** How long a statement may take. */
export const STATEMENT_TIMEOUT_MS = 30_000

/** Opens the database of a server and migrates it. Rejects if it cannot be used. */
export async function openPlaneDatabase(
  url: string,
  metrics: Metrics,
  log?: Logger,
): Promise<Database> {
  const database = openDatabase({
    url,
    poolSize: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    observe: metrics.observeStatement,
    onIdleError: (error) => log?.warn({ err: error }, 'an idle database connection broke'),
  })
  try {
    await connect(database, {
      timeoutMs: CONNECT_TIMEOUT_MS,
      signal: NEVER_ABORTED,
      onWait: (reason) => log?.warn({ reason }, 'the database does not answer yet'),
    })
    const problems = await checkServer(database)
    if (problems.length > 0) throw new SettingError(problems.join('; '))
    await migrate(url, MIGRATIONS)
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}
