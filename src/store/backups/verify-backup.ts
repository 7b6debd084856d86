import { newlinesIn } from '../../lib/text/newlines-in.ts'
import { readMigrations } from '../database/migrate.ts'
import {
  type AppliedMigration,
  hasChecksum,
  type Migration,
} from '../database/migration-history.ts'
import { BackupError } from './backup-error.ts'
import { type BackupHeader, readHeader } from './backup-header.ts'
import { BackupReader } from './backup-reader.ts'
import { readTables } from './read-tables.ts'
import { needsMigration } from './require-same-schema.ts'

/** A verified backup: its header and the number of its rows. */
export interface VerifiedBackup extends BackupHeader {
  readonly rows: number
  /** Whether the backup has checksums of its rows. Older versions wrote none. */
  readonly hasChecksums: boolean
}

/**
 * Reads a whole backup from its uncompressed bytes, and compares its rows with their checksums, and
 * its schema with the migrations in a folder. Throws a BackupError if it is damaged, incomplete or newer
 * than this build.
 */
export async function verifyBackup(
  bytes: AsyncIterable<Buffer>,
  migrations: string,
): Promise<VerifiedBackup> {
  const reader = new BackupReader(bytes)
  const header = readHeader(await reader.line())
  requireKnownMigrations(await readMigrations(migrations), header.migrations)
  const { counts, hasChecksums } = await readTables(reader, async (_header, chunks) => {
    let rows = 0
    for await (const chunk of chunks) rows += newlinesIn(chunk)
    return rows
  })
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { ...header, rows, hasChecksums }
}

/** Rejects a backup that no restore of this build could read. */
function requireKnownMigrations(
  known: readonly Migration[],
  wanted: readonly AppliedMigration[],
): void {
  if (wanted.length === 0) throw new BackupError('the backup does not name its schema')
  const scripts = new Map(known.map(({ name, script }) => [name, script]))
  const missing = wanted.find(({ name, checksum }) => {
    const script = scripts.get(name)
    return script === undefined || !hasChecksum(script, checksum)
  })
  if (missing !== undefined) throw needsMigration(missing.name)
}
