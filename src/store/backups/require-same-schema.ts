import type pg from 'pg'
import { packageVersion } from '../../lib/package-version.ts'
import type { AppliedMigration } from '../database/migration-history.ts'
import { readAppliedMigrations } from '../database/read-applied-migrations.ts'
import { BackupError } from './backup-error.ts'

/** The error of a backup whose schema this build does not have. */
export function needsMigration(name: string): BackupError {
  return new BackupError(
    `the backup needs the migration ${name}, which Flotilla ${packageVersion()} does not ` +
      'have in this form: restore the backup with the version that made it, or a newer one',
  )
}

/** Rejects a database whose migrations differ from those of the backup. */
export async function requireSameSchema(
  client: pg.ClientBase,
  wanted: readonly AppliedMigration[],
): Promise<void> {
  const rows = await readAppliedMigrations(client)
  const has = (list: readonly AppliedMigration[], { name, checksum }: AppliedMigration) =>
    list.some((entry) => entry.name === name && entry.checksum === checksum)
  const missing = wanted.find((migration) => !has(rows, migration))
  if (missing !== undefined) {
    throw needsMigration(missing.name)
  }
  const extra = rows.find((migration) => !has(wanted, migration))
  if (extra !== undefined) {
    throw new BackupError(
      `the database has the migration ${extra.name}, which is newer than the backup: restore into a ` +
        'database without tables, and Flotilla then migrates it',
    )
  }
}
