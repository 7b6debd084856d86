import pg from 'pg'
import { urlOf } from '../../support/test-database.ts'
import { type DrillPostgres, startDrillPostgres } from '../drill-postgres.ts'
import { migrateDatabase } from '../shards/migrate-database.ts'

/** A PostgreSQL with new databases for servers of a drill. */
export interface AttackedPostgres extends DrillPostgres {
  /** Creates a migrated database and returns its URL. */
  createDatabase(name: string): Promise<string>
}

/** Starts PostgreSQL. */
export async function startPostgres(): Promise<AttackedPostgres> {
  const postgres = await startDrillPostgres()
  return {
    ...postgres,
    createDatabase: async (name) => {
      await queryDatabase(postgres.url, `create database ${name}`)
      const url = urlOf(postgres.url, name)
      await migrateDatabase(url)
      return url
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
