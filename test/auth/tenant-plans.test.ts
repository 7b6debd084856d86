import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureStatements } from '../../bench/baselines/capture-statements.ts'
import { must } from '../../src/lib/assert.ts'
import type { Database } from '../../src/store/database/database.ts'
import { findIdByName } from '../../src/store/resources/find-id-by-name.ts'
import { listByCreation } from '../../src/store/resources/list/list-by-creation.ts'
import { listResources } from '../../src/store/resources/list/list-resources.ts'
import { readSubtree } from '../../src/snapshots/storage/read-subtree.ts'
import { scope } from '../../src/store/resources/list/scope.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const ROWS = 40_000
/** A hundred tenants have half of the resources; the others have none. */
const TENANT = '{"org":"7"}'

const SEED = `
  insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond, tenant,
    created_time, updated_time, created_by, updated_by)
  select '2' || lpad(n::text, 26, '0'), 'Cluster', 'name-' || n / 200, 1, 1, '{"a": 1}', '{}', '[]',
    '{}', case when n % 2 = 0 then '' else format('{"org":"%s"}', n % 200 / 2) end,
    timestamptz '2026-01-01' + n * interval '1 second', now(), 'seed', 'seed'
  from generate_series(1, ${ROWS}) as n
  on conflict do nothing`

describe('statements with and without tenants are answered by their indexes', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(SEED)
    await client.query('vacuum analyze resources')
  })
  afterAll(async () => {
    await client.end()
    await database[Symbol.asyncDispose]()
  })

  /** The plan that is kept for a prepared statement, or made for the values of a composed one. */
  async function planOf(
    mode: 'generic' | 'custom',
    call: (on: Database) => Promise<unknown>,
  ): Promise<string> {
    const [statement] = await captureStatements(call)
    const { text, values } = must(statement, 'a statement')
    await client.query(`set plan_cache_mode = force_${mode}_plan`)
    const name = `plan_${Math.random().toString(36).slice(2)}`
    await client.query({ name, text: `explain (costs off) ${text}`, values: [...values] })
    const { rows } = await client.query({
      name,
      text: `explain (costs off) ${text}`,
      values: [...values],
    })
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
  }

  const window = { direction: 'desc', limit: 21, offset: 0, after: null } as const
  const kind = 'Cluster'

  it.each([
    [null, 'resources_by_creation', 0],
    [null, 'resources_by_creation', 1000],
    [TENANT, 'resources_by_tenant', 0],
    [TENANT, 'resources_by_tenant', 1000],
  ])('lists of the tenant %j use %s from offset %d', async (tenant, index, offset) => {
    const plan = await planOf('generic', (on) =>
      listByCreation(on, { ...window, offset, tenant, kind, ownerId: null }),
    )
    expect(plan).toContain(`using ${index} on resources`)
    expect(plan).not.toContain('Seq Scan on resources')
  })

  it('searches of a tenant read the rows of the tenant alone', async () => {
    const plan = await planOf('custom', (on) =>
      listResources(on, {
        where: scope({ tenant: TENANT, kind, ownerId: null }),
        orderBy: [
          { column: 'created_time', direction: 'desc' },
          { column: 'id', direction: 'desc' },
        ],
        limit: 21,
        offset: 0,
        columns: 'versions',
        counted: null,
      }),
    )
    expect(plan).toContain('resources_by_tenant')
  })

  it.each([null, TENANT])(
    'names in the tenant %j are found in the index of names',
    async (tenant) => {
      const root = await planOf('generic', (on) =>
        findIdByName(on, { tenant, kind, ownerId: null, name: 'name-7' }),
      )
      expect(root).toContain('resources_name')
      const view = await planOf('generic', (on) =>
        readSubtree(on, { tenant, kind, idOrName: 'name-7' }),
      )
      expect(view).toContain('resources_name')
      expect(view).not.toContain('Seq Scan on resources')
    },
  )

  it('updates of rows with a tenant are heap-only', async () => {
    await client.query(
      `update resources set version = version + 1, conditions = '[{}]', updated_time = now()
       where id in (select id from resources where tenant = $1 limit 50)`,
      [TENANT],
    )
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query(
      `select n_tup_upd::integer as updated, n_tup_hot_upd::integer as heap_only
       from pg_stat_user_tables where relname = 'resources'`,
    )
    expect(rows).toEqual([{ updated: 50, heap_only: 50 }])
  })
})
