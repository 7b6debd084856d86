import { fileURLToPath } from 'node:url'
import { migrate } from '../../../src/store/database/migrate.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

/** Applies all migrations to a database. */
export async function migrateDatabase(url: string): Promise<void> {
  await migrate(url, MIGRATIONS)
}
