import { createHash } from 'node:crypto'
import { packageVersion } from '../../lib/package-version.ts'
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

/** Since this migration, times can have microseconds. */
export const MICROSECONDS = '20270118300000_microseconds'

/** The statement of a migration that older servers cannot run beside. */
export const REJECTS_OLDER_SERVERS = 'Older servers: must stop'

/** The same, when the times of the database have microseconds. */
export const TIMES_ARE_PRECISE = `${REJECTS_OLDER_SERVERS}, times have microseconds`

/** The statement in the first line of a migration about versions that do not include it. */
const STATEMENT = /^-- (Older servers: (?:may run from \d{14}_\w+|may run|must stop))/

/** The statement as the database stores it, for the versions that do not include the migration. */
export function statementOf(script: string): string | null {
  return STATEMENT.exec(script)?.[1] ?? null
}

/**
 * Rejects a database on which this build must not run: every applied migration must be part of the
 * build, with the text that was applied, or state that older servers may run. Returns the names of
 * the migrations that the build lacks.
 */
export function requireKnownHistory(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  statements: ReadonlyMap<string, string>,
): readonly string[] {
  requireSameScripts(migrations, applied)
  const known = new Set(migrations.map(({ name }) => name))
  const newestKnown = [...known].toSorted().at(-1) ?? 'none'
  const unknown = applied.map(({ name }) => name).filter((name) => !known.has(name))
  const newestForbidden = unknown
    .toSorted()
    .findLast((name) => !mayRun(statements.get(name), newestKnown))
  if (newestForbidden === undefined) return unknown
  throw new UnusableDatabaseError(
    `the schema of the database is newer than this build: the newest migration of Flotilla ` +
      `${packageVersion()} is ${newestKnown}, and the database has ${newestForbidden}. Start a ` +
      'version of Flotilla that includes it, or restore a backup that was made before it',
  )
}

/** `may run from <migration>` excludes versions whose newest migration is older than that one. */
function mayRun(statement: string | undefined, newestKnown: string): boolean {
  const [, from = ''] = /^Older servers: may run(?: from (\S+))?$/.exec(statement ?? '') ?? []
  return statement?.startsWith('Older servers: may run') === true && newestKnown >= from
}

function requireSameScripts(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): void {
  const scripts = new Map(migrations.map(({ name, script }) => [name, script]))
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
export function hasChecksum(script: string, checksum: string): boolean {
  const unix = script.replaceAll('\r\n', '\n')
  return [script, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum)
}
