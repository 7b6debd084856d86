import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../../../../src/store/database/migrate.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))

/** Creates a migrated database beside the one of the seeded fleet, and returns its URL. */
export async function createDatabase(databaseUrl: string): Promise<string> {
  const name = `console_${randomBytes(4).toString('hex')}`
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  await migrate(url.href, MIGRATIONS)
  return url.href
}
