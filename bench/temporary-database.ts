import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import type { Database } from '../src/store/database/database.ts'
import { openDatabase } from '../src/store/database/open-database.ts'
import { startEmbeddedPostgres } from '../src/embedded-postgres/start.ts'
import { migrate } from '../src/store/database/migrate.ts'

/** A migrated database on a temporary embedded server. Disposal removes both. */
export interface TemporaryDatabase extends AsyncDisposable {
  readonly database: Database
}

/** Starts an embedded PostgreSQL in a temporary directory. */
export async function startTemporaryDatabase(): Promise<TemporaryDatabase> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'warn' }) })
  await migrate(server.url, fileURLToPath(new URL('../prisma/migrations', import.meta.url)))
  const database = openDatabase({
    url: server.url,
    poolSize: 4,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    observe: () => undefined,
    onIdleError: () => undefined,
  })
  return {
    database,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
