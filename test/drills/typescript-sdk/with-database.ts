import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { startEmbeddedPostgres } from '../../../src/embedded-postgres/start.ts'

/** Calls `use` with the URL of a new database, and removes the database. */
export async function withDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-sdk-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  try {
    await use(postgres.url)
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Settings with which deletions wait for no adapter. */
export const NO_ADAPTERS = {
  HYPERFLEET_CLUSTER_ADAPTERS: '[]',
  HYPERFLEET_NODEPOOL_ADAPTERS: '[]',
}
