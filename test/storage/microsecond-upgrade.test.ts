import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/store/database/migrate.ts'
import { MICROSECONDS } from '../../src/store/database/migration-history.ts'
import { PreciseDate } from '../../src/lib/precise-date.ts'
import { creation, report } from '../support/fixtures.ts'
import { copyMigrationsBefore, MIGRATIONS } from '../support/older-migrations.ts'
import {
  createPreparedDatabase,
  createTestDatabase,
  serverNames,
  type TestDatabase,
} from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** Rewriting a table or an index changes its file. */
const FILES = `
  select relname, pg_relation_filenode(oid) as file from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') order by relname`

describe.each(serverNames())('an upgrade to microseconds on %s', (name) => {
  let migrations: Awaited<ReturnType<typeof copyMigrationsBefore>>
  let older: string
  let template: TestDatabase
  beforeAll(async () => {
    migrations = await copyMigrationsBefore(MICROSECONDS)
    older = migrations.directory
    template = await createPreparedDatabase(name, null, (url) => migrate(url, older))
  })
  afterAll(async () => {
    await template[Symbol.asyncDispose]()
    await migrations[Symbol.asyncDispose]()
  })

  let database: TestDatabase
  let pool: pg.Pool
  beforeEach(async () => {
    database = await createTestDatabase(name, { template: template.name })
    pool = new pg.Pool({ connectionString: database.url }).on('error', () => undefined)
  })
  afterEach(async () => {
    await pool.end()
    await database[Symbol.asyncDispose]()
  })

  it('rewrites no table, and no index but partial ones', async () => {
    const { rows } = await pool.query(FILES)
    // A later migration adds columns to this key.
    const before = rows.filter(({ relname }) => relname !== 'count_minutes_pkey')
    await migrate(database.url, MIGRATIONS)
    // Later migrations may add tables and indexes.
    expect((await pool.query(FILES)).rows).toEqual(expect.arrayContaining(before))
    await pool.query('select use_microseconds()')
    const { rows: after } = await pool.query(FILES)
    const files = new Map(after.map(({ relname, file }) => [relname, file]))
    const changed = before.filter(({ relname, file }) => files.get(relname) !== file)
    // PostgreSQL cannot prove that the condition of a partial index keeps its meaning.
    expect(changed.map(({ relname }) => relname)).toEqual([
      'adapter_work_resting',
      'adapter_work_resting_by_tenant',
      'resources_by_tenant',
      'resources_name',
    ])
  })

  it('writes whole milliseconds until the last older server has gone', async () => {
    await migrate(database.url, MIGRATIONS)
    await pool.query(
      `insert into servers (id, host, started_time, seen_time, fingerprint, configuration)
       values ('older', 'h', now(), now() + interval '1 day', 'f', '{"settings": {}}')`,
    )
    const noon = Date.parse('2026-03-01T12:00:00.123Z')
    const clock = () => new PreciseDate(noon, 456)
    await using server = await startTestServer({ databaseUrl: database.url, clock })
    expect(await createdTime(server)).toBe('2026-03-01T12:00:00.123000Z')
    // The older version can start again.
    await migrate(database.url, older)

    await pool.query(`delete from servers where id = 'older'`)
    await expect
      .poll(() => statementOf(pool), { timeout: 60_000 })
      .toMatch(/^Older servers: must stop/)
    await expect(migrate(database.url, older)).rejects.toThrow(/newer than this build/)
    // An older server that compared migrations before may register now.
    expect(await createdTime(server)).toBe('2026-03-01T12:00:00.123000Z')
    await pool.query(
      `update _prisma_migrations set logs = 'Older servers: must stop since -infinity'
       where migration_name = $1`,
      [MICROSECONDS],
    )
    await expect
      .poll(() => createdTime(server), { timeout: 60_000, interval: 500 })
      .toBe('2026-03-01T12:00:00.123456Z')
  })
})

/** The creation time of a new cluster, which every response and report repeats in the same unit. */
async function createdTime(server: TestServer): Promise<string> {
  const { body } = await server.post('/clusters', creation('Cluster'))
  const item = `/clusters/${body.id}`
  const { body: patched } = await server.patch(item, { spec: { size: 2 } })
  const observed_time = '2026-03-01T11:00:00.000456Z'
  const { body: stored } = await server.post(`${item}/statuses`, report('dns', { observed_time }))
  expect((await server.get(`${item}/statuses`)).body.items).toEqual([stored])
  expect((await server.get(item)).body.created_time).toBe(body.created_time)
  expect(patched.updated_time).toBe(body.created_time)
  expect(patched.status.conditions[0].created_time).toBe(body.created_time)
  return body.created_time
}

async function statementOf(pool: pg.Pool): Promise<string> {
  const query = 'select logs from _prisma_migrations where migration_name = $1'
  return (await pool.query(query, [MICROSECONDS])).rows[0]?.logs
}
