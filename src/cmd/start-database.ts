import type { Database } from '../store/database/database.ts'
import type { StatementObserver } from '../store/database/observe-statement.ts'
import { openDatabase } from '../store/database/open-database.ts'
import { createSlowLog } from '../http/observability/slow-log.ts'
import { traceStatement } from '../http/observability/statement-spans.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/start.ts'
import { applyMigrations } from '../capability/apply-migrations.ts'
import type { Foundation } from '../capability/foundation.ts'

/** Opens the database, starts the embedded one if there is no URL, and applies the migrations. */
export async function startDatabase(
  foundation: Foundation,
  onDatabaseExit: () => void = () => undefined,
): Promise<Database> {
  const { config, log, lifecycle, metrics, signal, times } = foundation
  const url = config.databaseUrl ?? (await startEmbedded(foundation, onDatabaseExit))
  const database = openDatabase({
    url,
    directUrl: config.databaseDirectUrl ?? url,
    preparedStatements: config.databasePreparedStatements === 'on',
    mayPrepare: () => times.unit() === 'microsecond',
    poolSize: config.databasePoolSize,
    isSynchronous: config.databaseSynchronous,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    observe: statementObserver(foundation),
    onWriteProblem: (problem) => {
      if (problem === null) log.info('the database takes writes again')
      else log.warn({ problem }, 'the database takes no writes')
    },
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  lifecycle.onClose('database', () => database[Symbol.asyncDispose]())
  metrics.exposePool(database.pool)
  metrics.exposeFailovers(database)
  database.onFailover(async () => log.warn('the database has failed over to another primary'))
  await applyMigrations(database, { log, signal })
  return database
}

/** Counts, logs and traces statements. */
function statementObserver({ settings, log, metrics, tracer }: Foundation): StatementObserver {
  const logSlow = createSlowLog({
    log,
    thresholdMs: () => settings.current.slowQueryMs,
    onSlow: metrics.statementSlow,
  })
  return (...statement) => {
    const [name, seconds, succeeded] = statement
    metrics.observeStatement(name, seconds, succeeded)
    logSlow(...statement)
    if (tracer !== null) traceStatement(...statement)
  }
}

async function startEmbedded(
  { config, log, lifecycle }: Foundation,
  onDatabaseExit: () => void,
): Promise<string> {
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  lifecycle.onClose('embedded PostgreSQL', () => embedded.stop())
  void embedded.exited.then(() => onDatabaseExit())
  return embedded.url
}
