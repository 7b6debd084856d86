import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start.ts'
import type { Database } from '../../src/store/database/database.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openDatabase } from '../../src/store/database/open-database.ts'
import { installQueue } from './generic-queue.ts'

/** A database for today's queues, and one for the generic queue, on one server. */
export interface Sides extends AsyncDisposable {
  readonly old: Database
  readonly new: Database
}

export async function openSides(fill: string): Promise<Sides> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'warn' }) })
  await migrate(server.url, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)))
  const first = open(server.url)
  await first.pool.query('create database one_queue')
  const url = server.url.replace('/flotilla?', '/one_queue?')
  await migrate(url, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)))
  const second = open(url)
  await installQueue(second)
  for (const { pool } of [first, second]) await pool.query(fill)
  return {
    old: first,
    new: second,
    [Symbol.asyncDispose]: async () => {
      await first[Symbol.asyncDispose]()
      await second[Symbol.asyncDispose]()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function open(url: string): Database {
  return openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
    observe: () => undefined,
    onIdleError: () => undefined,
  })
}
