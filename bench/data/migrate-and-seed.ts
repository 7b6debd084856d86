import path from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/store/database/migrate.ts'
import { ROOT } from '../servers/root.ts'
import type { Dataset } from './dataset.ts'
import { seedDatabase } from './seed-database.ts'

/** Migrates the database at a URL and inserts a dataset. */
export async function migrateAndSeed(databaseUrl: string, dataset: Dataset): Promise<void> {
  await migrate(databaseUrl, path.join(ROOT, 'prisma/migrations'))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await seedDatabase(client, dataset)
  } finally {
    await client.end()
  }
}
