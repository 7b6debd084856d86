import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorMessage } from '../../lib/error-message.ts'
import {
  checksumOf,
  MICROSECONDS,
  type Migration,
  requireKnownHistory,
  statementOf,
  TIMES_ARE_PRECISE,
} from './migration-history.ts'
import { openClient } from './connection/open-client.ts'
import { readAppliedMigrations } from './read-applied-migrations.ts'
import { readStatements } from './read-statements.ts'
import { codesOf, writeProblemOf } from './translate-database-error.ts'
import { UnusableDatabaseError } from './unusable-database-error.ts'

/** Key of the advisory lock that one migrating server holds; arbitrary. */
const MIGRATION_LOCK = 7_305_188_021

/** Statements of running servers queue behind a waiting migration for this time. */
const LOCK_TIMEOUT = '2s'
/** The pause in which the queued statements run. */
const LOCK_PAUSE_MS = 1000
/** The SQLSTATEs of a lock timeout and of a deadlock. */
const LOCK_CODES: ReadonlySet<string> = new Set(['55P03', '40P01'])
/** A wait is reported at the first failure, and then after this number of failures. */
const REPORT_EVERY = 20

/** Prisma's table of applied migrations, so that `prisma migrate status` can read it. */
const CREATE_HISTORY = `
  create table if not exists _prisma_migrations (
    id                  varchar(36)  primary key not null,
    checksum            varchar(64)  not null,
    finished_at         timestamptz,
    migration_name      varchar(255) not null,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz  not null default now(),
    applied_steps_count integer      not null default 0
  )`

/** No older server uses a new database. */
const USE_MICROSECONDS = `
  do $$ begin
    update _prisma_migrations set logs = '${TIMES_ARE_PRECISE}' where migration_name = '${MICROSECONDS}';
    if found then perform use_microseconds(); end if;
  end $$`

interface Options {
  /** Newer migrations than this one are not applied. */
  readonly last?: string
  /** Receives the migrations of newer versions that let this version run. */
  readonly onNewer?: (names: readonly string[]) => void
  /** Receives now and then the name of a migration that waits for other transactions. */
  readonly onWait?: (name: string) => void
  /** Ends the wait for other transactions. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Applies the missing migrations, one transaction each, and returns their names. Rejects with
 * UnusableDatabaseError if the text of an applied migration differs, or if the database has
 * migrations that are not part of this build and do not state that older servers may run. Servers
 * that start together wait for each other on an advisory lock. A migration waits without a limit
 * for transactions that use its tables. `directory` has one `<timestamp>_<name>/migration.sql` per
 * migration.
 */
export async function migrate(
  url: string,
  directory: string,
  options: Options = {},
): Promise<readonly string[]> {
  const migrations = await readMigrations(directory)
  try {
    // A separate connection: migrations and the wait for the lock can exceed the pool's timeouts.
    await using client = await openClient(url)
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    return await applyMissing(client, migrations, options)
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error
    throw new UnusableDatabaseError(`the database cannot be migrated: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

function reasonOf(error: unknown): string {
  const reason = errorMessage(error)
  if (writeProblemOf(error) !== 'read-only') return reason
  return `${reason}: DATABASE_URL and DATABASE_DIRECT_URL must lead to the primary, not to a standby`
}

/** The names of the migrations in a folder, oldest first. */
export async function migrationNames(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).sort()
}

/** The migrations in a folder, oldest first. */
export async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const names = await migrationNames(directory)
  return Promise.all(
    names.map(async (name) => ({
      name,
      script: await readFile(path.join(directory, name, 'migration.sql'), 'utf8'),
    })),
  )
}

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
  options: Options,
): Promise<readonly string[]> {
  const { last, onNewer } = options
  await client.query(CREATE_HISTORY)
  const applied = await readAppliedMigrations(client)
  const newer = requireKnownHistory(migrations, applied, await readStatements(client))
  if (newer.length > 0) onNewer?.(newer)
  const names = new Set(applied.map(({ name }) => name))
  const missing = migrations.filter(
    ({ name }) => !names.has(name) && (last === undefined || name <= last),
  )
  for (const migration of missing) await applyOne(client, migration, options)
  if (applied.length === 0) await client.query(USE_MICROSECONDS)
  return missing.map(({ name }) => name)
}

/**
 * A statement that waits for an exclusive lock blocks all later statements on its table, such as
 * those of running servers behind a backup. Short waits with pauses let these statements pass.
 */
async function applyOne(
  client: pg.Client,
  migration: Migration,
  { onWait, signal }: Options,
): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await attempt(client, migration)
      return
    } catch (error) {
      if (!codesOf(error).some((code) => LOCK_CODES.has(code))) throw error
      if (failures % REPORT_EVERY === 0) onWait?.(migration.name)
      signal?.throwIfAborted()
      await sleep(LOCK_PAUSE_MS, undefined, { signal })
    }
  }
}

async function attempt(client: pg.Client, { name, script }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(script)
    await client.query(
      `insert into _prisma_migrations
         (id, checksum, migration_name, logs, finished_at, applied_steps_count)
       values ($1, $2, $3, $4, now(), 1)`,
      [randomUUID(), checksumOf(script), name, statementOf(script)],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`migration ${name} failed: ${errorMessage(error)}`, { cause: error })
  }
}
