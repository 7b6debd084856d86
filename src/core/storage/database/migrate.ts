import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { errorMessage } from '../../../lib/error-message.ts'
import {
  type AppliedMigration,
  checksumOf,
  type Migration,
  requireKnownHistory,
} from './migration-history.ts'
import { UnusableDatabaseError } from './unusable-database-error.ts'

/** Key of the advisory lock that one migrating server holds; arbitrary. */
const MIGRATION_LOCK = 7_305_188_021

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

/**
 * Applies the missing migrations, one transaction each, and returns their names. Rejects with
 * UnusableDatabaseError if the database has migrations that are not part of this build or whose
 * text differs. Servers that start together wait for each other on an advisory lock. `directory`
 * has one `<timestamp>_<name>/migration.sql` per migration. With `last`, newer migrations than that
 * one are not applied.
 */
export async function migrate(
  url: string,
  directory: string,
  last?: string,
): Promise<readonly string[]> {
  const migrations = await readMigrations(directory)
  // A separate connection: migrations and the wait for the lock can exceed the pool's timeouts.
  const client = new pg.Client({ connectionString: url, keepAlive: true })
  // Without a listener, a broken connection would end the process. The running statement fails.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    return await applyMissing(client, migrations, last)
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error
    throw new UnusableDatabaseError(`the database cannot be migrated: ${errorMessage(error)}`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

/** The names of the migrations in a folder, oldest first. */
export async function migrationNames(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).sort()
}

async function readMigrations(directory: string): Promise<readonly Migration[]> {
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
  last: string | undefined,
): Promise<readonly string[]> {
  await client.query(CREATE_HISTORY)
  const { rows: applied } = await client.query<AppliedMigration>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null`,
  )
  requireKnownHistory(migrations, applied)
  const names = new Set(applied.map(({ name }) => name))
  const missing = migrations.filter(
    ({ name }) => !names.has(name) && (last === undefined || name <= last),
  )
  for (const migration of missing) await applyOne(client, migration)
  return missing.map(({ name }) => name)
}

async function applyOne(client: pg.Client, { name, script }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(script)
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksumOf(script), name],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`migration ${name} failed: ${errorMessage(error)}`, { cause: error })
  }
}
