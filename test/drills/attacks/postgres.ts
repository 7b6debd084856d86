import { rm } from 'node:fs/promises'
import pg from 'pg'
import pino from 'pino'
import { startEmbeddedPostgres } from '../../../src/embedded-postgres/start.ts'
import { createDatabaseDirectory } from '../../support/database-directory.ts'
import { urlOf } from '../../support/test-database.ts'
import { migrateDatabase } from '../shards/migrate-database.ts'

/** A PostgreSQL with new databases for servers of a drill. */
export interface DrillPostgres extends AsyncDisposable {
  /** The URL of a database without tables. */
  readonly url: string
  /** Creates a migrated database and returns its URL. */
  createDatabase(name: string): Promise<string>
}

/** Starts PostgreSQL. */
export async function startPostgres(): Promise<DrillPostgres> {
  const dataDir = await createDatabaseDirectory('flotilla-attacks-')
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  return {
    url: postgres.url,
    createDatabase: async (name) => {
      await queryDatabase(postgres.url, `create database ${name}`)
      const url = urlOf(postgres.url, name)
      await migrateDatabase(url)
      return url
    },
    [Symbol.asyncDispose]: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs a statement. */
export async function queryDatabase<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
