import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openClient } from '../../src/store/database/connection/open-client.ts'
import { migrate, migrationNames } from '../../src/store/database/migrate.ts'
import { MICROSECONDS } from '../../src/store/database/migration-history.ts'
import { migrationName } from '../../src/tools/migrations/migration-name.ts'
import { schemaDifference } from '../../src/tools/migrations/schema-difference.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../support/test-database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
/** The first line of a migration may declare which older servers may run beside it. */
const DECLARATION = /^-- (Older servers: (?:may run(?: from \w+)?|must stop))\b/
/** The migration after `20270118100000_unclean_members`: it alters a table of every request. */
const NEXT = '20270118200000_required_adapters'
/** No older server starts on a new database, whose times have microseconds. */
const REJECTING = 'Older servers: must stop, times have microseconds'
const SCHEMA = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url))

describe.each(serverNames())('migrations on %s', (server) => {
  let database: TestDatabase
  let pool: pg.Pool
  let directory: string
  beforeEach(async () => {
    database = await createTestDatabase(server, { template: null })
    // The database may be dropped before the ended pool has closed all connections.
    pool = new pg.Pool({ connectionString: database.url }).on('error', () => undefined)
    directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-migrations-'))
  })
  afterEach(async () => {
    await pool.end()
    await database[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  async function write(name: string, script: string): Promise<void> {
    await mkdir(path.join(directory, name))
    await writeFile(path.join(directory, name, 'migration.sql'), script)
  }

  it('are applied once and recorded in the format of Prisma', async () => {
    const names = await migrationNames(MIGRATIONS)
    expect(await migrate(database.url, MIGRATIONS)).toEqual(names)
    expect(await migrate(database.url, MIGRATIONS)).toEqual([])
    const { rows } = await pool.query(
      `select migration_name, checksum, applied_steps_count, logs, rolled_back_at,
        finished_at >= started_at as finished, length(id) as id_length
       from _prisma_migrations order by migration_name`,
    )
    expect(rows).toEqual(
      await Promise.all(
        names.map(async (name) => {
          const script = await readFile(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8')
          return {
            migration_name: name,
            checksum: createHash('sha256').update(script).digest('hex'),
            applied_steps_count: 1,
            logs: name === MICROSECONDS ? REJECTING : (DECLARATION.exec(script)?.[1] ?? null),
            rolled_back_at: null,
            finished: true,
            id_length: 36,
          }
        }),
      ),
    )
  })

  it('are applied by one of several servers that start together', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, MIGRATIONS)))
    expect(applied.flat()).toEqual(await migrationNames(MIGRATIONS))
  })

  it('fail with the reason if the connection breaks, without ending the process', async () => {
    await write('1_slow', 'select pg_sleep(30)')
    const failure = migrate(database.url, directory).then(() => null, String)
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and query = 'select pg_sleep(30)'`,
        )
        return rows.length
      })
      .toBe(1)
    expect(await failure).toContain('migration 1_slow failed')
  })

  it('do not queue the statements of running servers behind a long transaction', async () => {
    await migrate(database.url, MIGRATIONS, { last: '20270118100000_unclean_members' })
    await using reader = await openClient(database.url)
    await reader.query('begin')
    await reader.query('select 1 from resources')
    const waits: string[] = []
    const migration = migrate(database.url, MIGRATIONS, { onWait: (name) => waits.push(name) })
    await expect.poll(waitingStatements).toContain('alter table resources add column')
    // Fails after 30 s instead of a hang: the statement would wait for the reader.
    const other = await pool.connect()
    await other.query(`set statement_timeout = '30s'`)
    const statement = await other.query('select 1 from resources').then(() => null, String)
    other.release()
    expect(statement).toBeNull()
    await expect.poll(() => waits, { timeout: 30_000 }).toEqual([NEXT])
    await reader.query('commit')
    expect((await migration)[0]).toBe(NEXT)
    expect(await migrate(database.url, MIGRATIONS)).toEqual([])
  })

  it('end their wait for a long transaction if the server stops', async () => {
    await write('1_table', 'create table one (id integer)')
    await migrate(database.url, directory)
    await write('2_column', 'alter table one add column name text')
    await using reader = await openClient(database.url)
    await reader.query('begin')
    await reader.query('select 1 from one')
    const ending = new AbortController()
    const migration = migrate(database.url, directory, {
      signal: ending.signal,
      onWait: () => ending.abort(new Error('the server stops')),
    })
    await expect(migration).rejects.toThrow('the server stops')
    await reader.query('commit')
    expect(await migrate(database.url, directory)).toEqual(['2_column'])
  })

  async function waitingStatements(): Promise<string> {
    const { rows } = await pool.query(
      `select query from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.map(({ query }) => query).join()
  }

  it('are rolled back individually on failure, and continue with the failed one', async () => {
    await write('1_good', 'create table one (id integer)')
    await write('2_bad', 'create table two (id integer); select 1 / 0')
    await expect(migrate(database.url, directory)).rejects.toThrow(/2_bad.*division by zero/)
    const tables = await pool.query(
      `select table_name from information_schema.tables
       where table_schema = 'public' and table_name in ('one', 'two')`,
    )
    expect(tables.rows).toEqual([{ table_name: 'one' }])
    await writeFile(path.join(directory, '2_bad', 'migration.sql'), 'create table two (id integer)')
    expect(await migrate(database.url, directory)).toEqual(['2_bad'])
  })
})

/** The template of test databases is migrated once per server. */
describe.each(serverNames())('all migrations on %s', (server) => {
  let database: TestDatabase
  let pool: pg.Pool
  beforeEach(async () => {
    database = await createTestDatabase(server)
    pool = new pg.Pool({ connectionString: database.url }).on('error', () => undefined)
  })
  afterEach(async () => {
    await pool.end()
    await database[Symbol.asyncDispose]()
  })

  it('create the schema that schema.prisma declares', async () => {
    expect(await schemaDifference(database.url, await readFile(SCHEMA, 'utf8'))).toBe('')
  })

  it('are compared with a schema that has changed', async () => {
    await pool.query('alter table resources drop column updated_by')
    const difference = await schemaDifference(database.url, await readFile(SCHEMA, 'utf8'))
    expect(difference).toContain('ADD COLUMN     "updated_by" TEXT NOT NULL')
  })

  it('create the parts that schema.prisma cannot express', async () => {
    const collations = await pool.query(
      `select distinct collation_name from information_schema.columns
       where table_name in ('resources', 'adapter_statuses') and data_type = 'text'`,
    )
    expect(collations.rows).toEqual([{ collation_name: 'C' }])
    const options = await pool.query(
      `select relname, reloptions from pg_class
       where relname in ('resources', 'adapter_statuses') order by relname`,
    )
    expect(options.rows).toEqual([
      { relname: 'adapter_statuses', reloptions: ['fillfactor=70'] },
      { relname: 'resources', reloptions: ['fillfactor=70'] },
    ])
    const unique = await pool.query(
      `select indexdef from pg_indexes where indexname = 'resources_name'`,
    )
    expect(unique.rows[0].indexdef).toContain('WHERE (deleted_time IS NULL)')
  })
})

describe('the name of a new migration', () => {
  it('contains the time and the words', () => {
    const now = new Date('2027-01-31T23:59:59.999Z')
    expect(migrationName('Add  the feed!', now, [])).toBe('20270131235959_add_the_feed')
  })

  it('sorts after every existing migration', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const existing = ['20261231235959_a', '20250101000000_b']
    expect(migrationName('c', now, existing)).toBe('20270101000000_c')
  })

  it('is required', () => {
    expect(() => migrationName(' - ', new Date(), [])).toThrow('npm run migrate -- <name>')
  })
})
