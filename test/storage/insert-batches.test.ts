import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createInsertBatches,
  type InsertBatches,
} from '../../src/store/operations/write/insert-batches.ts'
import type { Resource } from '../../src/store/model/resource.ts'
import type { Database } from '../../src/store/database/database.ts'
import { must } from '../../src/lib/assert.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { sampleResource } from '../search/sample-rows.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../support/test-database.ts'

const CLUSTER = sampleResource(1)
const DELETED = sampleResource(2, { deletedTime: new Date() })

describe.each(serverNames())('creates that arrive together on %s', (server) => {
  let copy: TestDatabase
  let database: Database
  let other: pg.Client
  let insert: InsertBatches
  let statements: string[]
  beforeEach(async () => {
    copy = await createTestDatabase(server)
    database = openTestDatabase(copy.url)
    other = new pg.Client({ connectionString: copy.url }).on('error', () => undefined)
    await other.connect()
    statements = []
    const observed: Database = {
      ...database,
      execute: (statement, values) => {
        statements.push(statement.name)
        return database.execute(statement, values)
      },
    }
    insert = createInsertBatches(observed, 10_000)
    await root(CLUSTER)
    await root(DELETED)
    await database.pool.query('update resources set deleted_time = now() where id = $1', [
      DELETED.id,
    ])
    statements.length = 0
  })
  afterEach(async () => {
    await other.end()
    await database[Symbol.asyncDispose]()
    await copy[Symbol.asyncDispose]()
  })

  const root = (resource: Resource) => insert({ resource, parentKind: null })
  const below = (ownerId: string, index: number) =>
    insert({
      resource: sampleResource(index, { kind: 'NodePool', ownerId }),
      parentKind: 'Cluster',
    })

  async function stored(): Promise<readonly string[]> {
    const { rows } = await database.pool.query('select id from resources order by id')
    return rows.map(({ id }) => id)
  }

  /** Resolves with the pid of a backend of this database once it waits for a lock. */
  async function blocked(): Promise<number> {
    for (;;) {
      const { rows } = await other.query(`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      if (rows.length > 0) return rows[0].pid
      await sleep(5)
    }
  }

  it('share one statement and store the same rows as single creates', async () => {
    const indexes = [10, 11, 12, 13]
    expect(await Promise.all(indexes.map((index) => root(sampleResource(index))))).toEqual(
      indexes.map(() => 'inserted'),
    )
    expect(statements).toEqual(['insert_resources'])
    await root(sampleResource(14))
    expect(statements).toEqual(['insert_resources', 'insert_resource'])
    const { rows } = await database.pool.query(`
      select spec, labels, annotations, conditions::text, cond, generation, version, created_by,
        updated_by, owner_id, kind, created_time - '1 s'::interval * right(id, 2)::integer as start
      from resources where id in ('resource-000012', 'resource-000014')`)
    const [together, alone] = rows.map(({ spec, labels, conditions, ...rest }) => ({
      ...rest,
      spec: { ...spec, index: 0 },
      labels: { ...labels, index: '' },
      conditions: conditions.replaceAll(/"[^"]*Z"/g, '"time"'),
    }))
    expect(together).toEqual(alone)
  })

  it('have separate outcomes', async () => {
    const outcomes = await Promise.all([
      root(sampleResource(20)),
      root(sampleResource(21, { name: CLUSTER.name })),
      root(sampleResource(22, { name: 'twice' })),
      root(sampleResource(23, { name: 'twice' })),
      below(CLUSTER.id, 24),
      below('missing', 25),
      below(DELETED.id, 26),
      root(sampleResource(27, { name: DELETED.name })),
    ])
    expect(outcomes).toEqual([
      'inserted',
      'name-taken',
      'inserted',
      'name-taken',
      'inserted',
      'parent-missing',
      'parent-deleted',
      'inserted',
    ])
    expect(statements).toEqual(['insert_resources', 'insert_resource'])
  })

  it('stay in their tenant: names are unique within it, and parents must belong to it', async () => {
    const tenant = 'org=a'
    const outcomes = await Promise.all([
      root(sampleResource(80, { tenant, name: CLUSTER.name })),
      root(sampleResource(81, { tenant, name: 'own' })),
      root(sampleResource(82, { name: 'own' })),
      insert({
        resource: sampleResource(83, { tenant, kind: 'NodePool', ownerId: CLUSTER.id }),
        parentKind: 'Cluster',
      }),
    ])
    expect(outcomes).toEqual(['inserted', 'inserted', 'inserted', 'parent-missing'])
    expect(statements).toEqual(['insert_resources', 'insert_resource'])
    const { rows } = await database.pool.query(
      `select id, tenant from resources where name in ('own', $1) order by id`,
      [CLUSTER.name],
    )
    expect(rows.map((row) => [row.id, row.tenant])).toEqual([
      [CLUSTER.id, ''],
      ['resource-000080', tenant],
      ['resource-000081', tenant],
      ['resource-000082', ''],
    ])
  })

  it('wait for a locked parent only if they are its children', async () => {
    await other.query('begin')
    await other.query('select from resources where id = $1 for update', [CLUSTER.id])
    const child = below(CLUSTER.id, 30)
    const others = [root(sampleResource(31)), root(sampleResource(32))]
    expect(await Promise.all(others)).toEqual(['inserted', 'inserted'])
    await blocked()
    // Later batches are not blocked either.
    expect(await root(sampleResource(33))).toBe('inserted')
    await other.query('update resources set deleted_time = now() where id = $1', [CLUSTER.id])
    await other.query('commit')
    expect(await child).toBe('parent-deleted')
  })

  it('fail individually if PostgreSQL rejects one of them', async () => {
    await database.pool.query(
      `alter table resources add constraint rejecting check (name <> 'refused')`,
    )
    const outcomes = await Promise.allSettled([
      root(sampleResource(40)),
      root(sampleResource(41, { name: 'refused' })),
      root(sampleResource(42)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await stored()).toEqual(expect.arrayContaining(['resource-000040', 'resource-000042']))
  })

  it('are not retried after a broken connection, because they may have been committed', async () => {
    await other.query('begin')
    await other.query(`update resources set name = 'held' where id = $1`, [CLUSTER.id])
    const results = Promise.allSettled([
      root(sampleResource(50)),
      root(sampleResource(51, { name: 'held' })),
    ])
    const pid = await blocked()
    await other.query('select pg_terminate_backend($1)', [pid])
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(statements).toEqual(['insert_resources'])
    await other.query('rollback')
    expect(await stored()).not.toContain('resource-000050')
  })

  it('of two servers do not deadlock over the same names in different order', async () => {
    const second = createInsertBatches(database, 10_000)
    const names = Array.from({ length: 40 }, (_, index) => `contested-${index}`)
    const outcomes = await Promise.all([
      ...names.map((name, index) => root(sampleResource(100 + index, { name }))),
      ...names
        .toReversed()
        .map((name, index) =>
          second({ resource: sampleResource(200 + index, { name }), parentKind: null }),
        ),
    ])
    const inserted = outcomes.filter((outcome) => outcome === 'inserted')
    expect(inserted).toHaveLength(names.length)
    expect(outcomes.filter((outcome) => outcome === 'name-taken')).toHaveLength(names.length)
  })

  it('are split into statements of limited size with at least one row each', async () => {
    const spec = { text: 'x'.repeat(3_000_000) }
    const outcomes = await Promise.all(
      [60, 61, 62].map((index) => root(sampleResource(index, { spec }))),
    )
    expect(outcomes).toEqual(['inserted', 'inserted', 'inserted'])
    expect(statements).toEqual(['insert_resources', 'insert_resources', 'insert_resources'])
    expect(must((await stored()).at(-1), 'a row')).toBe('resource-000062')
  })
})
