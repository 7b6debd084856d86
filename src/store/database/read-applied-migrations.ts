import type pg from 'pg'
import type { AppliedMigration } from './migration-history.ts'

const APPLIED = `
  select migration_name as name, checksum from _prisma_migrations
  where finished_at is not null and rolled_back_at is null
  order by migration_name`

/** The applied migrations, oldest first. Fails if the table of migrations does not exist. */
export async function readAppliedMigrations(
  client: pg.ClientBase,
): Promise<readonly AppliedMigration[]> {
  return (await client.query<AppliedMigration>(APPLIED)).rows
}
