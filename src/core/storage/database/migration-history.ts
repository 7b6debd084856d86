import { createHash } from 'node:crypto'
import { packageVersion } from '../../../lib/package-version.ts'
import { UnusableDatabaseError } from './unusable-database-error.ts'

/** A migration of this build. */
export interface Migration {
  /** `<timestamp>_<words>`: migrations run in the order of their names. */
  readonly name: string
  readonly script: string
}

/** A row of `_prisma_migrations`. */
export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
}

/** The checksum that Prisma records: SHA-256 in hexadecimal. */
export function checksumOf(script: string): string {
  return createHash('sha256').update(script).digest('hex')
}

/**
 * Rejects a database on which this build must not run: every applied migration must be part of the
 * build, with the text that was applied.
 */
export function requireKnownHistory(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): void {
  const scripts = new Map(migrations.map(({ name, script }) => [name, script]))
  const unknown = applied.map(({ name }) => name).filter((name) => !scripts.has(name))
  const newestUnknown = unknown.toSorted().at(-1)
  if (newestUnknown !== undefined) {
    const newestKnown =
      migrations
        .map(({ name }) => name)
        .toSorted()
        .at(-1) ?? 'none'
    throw new UnusableDatabaseError(
      `the schema of the database is newer than this build: the newest migration of Flotilla ` +
        `${packageVersion()} is ${newestKnown}, and the database has ${newestUnknown}. Start a ` +
        'version of Flotilla that includes it, or restore a backup that was made before it',
    )
  }
  const changed = applied.filter(({ name, checksum }) => {
    const script = scripts.get(name)
    return script !== undefined && !hasChecksum(script, checksum)
  })
  if (changed.length === 0) return
  throw new UnusableDatabaseError(
    `Flotilla ${packageVersion()} has other scripts than those that the database was migrated ` +
      `with: ${changed.map(({ name }) => name).join(', ')}. Restore the original migration.sql in ` +
      'prisma/migrations, or start the version of Flotilla that applied it',
  )
}

/** Compares as Prisma does: a checkout may convert line endings. */
function hasChecksum(script: string, checksum: string): boolean {
  const unix = script.replaceAll('\r\n', '\n')
  return [script, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum)
}
