import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { errorMessage } from '../../../lib/error-message.ts'
import { UnusableDatabaseError } from './unusable-database-error.ts'

/** Any number that no other program on the server uses: the key of the migration lock. */
const MIGRATION_LOCK = 7_305_188_021

/** Prisma's own table of applied migrations, so that `prisma migrate status` reads it too. */
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
 * Brings the schema up to date and returns the names of the migrations that it applied, each in a
 * transaction of its own. Servers that start at once wait for each other on an advisory lock.
 * `directory` is the folder with one `<timestamp>_<name>/migration.sql` per migration.
 */
export async function migrate(url: string, directory: string): Promise<readonly string[]> {
  const names = await migrationNames(directory)
  // A connection of its own: a migration takes its time, and so does the wait for another's.
  const client = new pg.Client({ connectionString: url, keepAlive: true })
  // A broken connection fails the statement that runs; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    return await applyMissing(client, directory, names)
  } catch (error) {
    throw new UnusableDatabaseError(`the database cannot be migrated: ${errorMessage(error)}`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

/** Names of the migrations in a folder, oldest first. */
export async function migrationNames(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).sort()
}

async function applyMissing(
  client: pg.Client,
  directory: string,
  names: readonly string[],
): Promise<readonly string[]> {
  await client.query(CREATE_HISTORY)
  const history = await client.query<{ name: string }>(
    `select migration_name as name from _prisma_migrations
     where finished_at is not null and rolled_back_at is null`,
  )
  const applied = new Set(history.rows.map((row) => row.name))
  const missing = names.filter((name) => !applied.has(name))
  for (const name of missing) {
    await applyOne(
      client,
      name,
      await readFile(path.join(directory, name, 'migration.sql'), 'utf8'),
    )
  }
  return missing
}

async function applyOne(client: pg.Client, name: string, script: string): Promise<void> {
  const checksum = createHash('sha256').update(script).digest('hex')
  await client.query('begin')
  try {
    await client.query(script)
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`migration ${name} failed: ${errorMessage(error)}`, { cause: error })
  }
}
