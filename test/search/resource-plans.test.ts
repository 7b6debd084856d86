import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAllStatement } from '../../src/store/resources/list/list-all-resources.ts'
import type { OrderTerm } from '../../src/store/resources/list/list-order.ts'
import { listStatement } from '../../src/store/resources/list/list-resources.ts'
import { comparisonStatement } from '../../src/store/members/compare-members.ts'
import { referenceCondition } from '../../src/store/references/reference-filter.ts'
import { scope } from '../../src/store/resources/list/scope.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../support/test-database.ts'
import { proofSize } from '../support/proof-size.ts'

const ROWS = proofSize(60_000)
const KINDS = ['Cluster', 'NodePool', 'Channel']
const orderBy: readonly OrderTerm[] = [
  { column: 'created_time', direction: 'desc' },
  { column: 'id', direction: 'desc' },
]
const firstPage = { orderBy, limit: 20, offset: 0, columns: 'versions' as const, counted: null }

/** Two of three rows refer to one of a thousand targets. */
const SEED = `
  insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond, refs,
    created_time, updated_time, created_by, updated_by)
  select '2' || lpad(n::text, 26, '0'), (array['Cluster','NodePool','Channel'])[1 + n % 3],
    'name-' || n, 1, 1, '{}', '{}', '[]', '{}',
    case n % 3 when 0 then '{}' else jsonb_build_object('target', jsonb_build_array('t' || n % 1000))
    end,
    timestamptz '2026-01-01' + n * interval '1 second', now(), 'seed', 'seed'
  from generate_series(1, ${ROWS}) as n`

describe.each(serverNames())(`${ROWS} resources of three kinds on the server '%s'`, (server) => {
  let database: TestDatabase
  let client: pg.Client

  beforeAll(async () => {
    database = await createTestDatabase(server)
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(SEED)
    await client.query('vacuum analyze resources')
  })
  afterAll(async () => {
    await client.end()
    await database[Symbol.asyncDispose]()
  })

  /** The part of the plan that finds the page, without the count. */
  async function pagePlan(statement: Sql): Promise<string> {
    const { rows } = await client.query<Record<string, string>>(
      `explain (costs off) ${statement.text}`,
      statement.values,
    )
    const lines = rows.map((row) => String(row['QUERY PLAN']))
    return lines.slice(lines.findIndex((line) => line.includes('Limit'))).join('\n')
  }

  async function tableScans(): Promise<unknown> {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<Record<string, unknown>>(
      `select seq_scan from pg_stat_user_tables where relname = 'resources'`,
    )
    return rows[0]?.['seq_scan']
  }

  const uses = (plan: string, index: string) => plan.split(`using ${index} `).length - 1

  it('are listed together by merging the order of one index, without a sort', async () => {
    const branches = KINDS.map((kind) => scope({ tenant: null, kind, ownerId: null }))
    for (const direction of ['asc', 'desc'] as const) {
      const turned = orderBy.map(({ column }) => ({ column, direction }))
      const statement = listAllStatement({ ...firstPage, branches, orderBy: turned })
      const plan = await pagePlan(statement)
      expect(plan).toContain('Merge Append')
      expect(uses(plan, 'resources_by_creation'), plan).toBe(KINDS.length)
      expect(plan).not.toContain('Sort\n')
      expect(plan).not.toContain('Seq Scan on resources')
    }
  })

  it('are found by their targets through the index of references', async () => {
    const one = { types: ['target'], targetId: 't7' }
    const any = { types: ['target', 'other'], targetId: 't7' }
    for (const references of [one, any]) {
      const where = sql`${scope({ tenant: null, kind: 'NodePool', ownerId: null })} and ${referenceCondition(references)}`
      const plan = await pagePlan(listStatement({ ...firstPage, where }))
      expect(plan).toContain('Bitmap Index Scan on resources_refs')
    }
  })

  it('are compared as members without a scan for each deleted member', async () => {
    const statement = comparisonStatement({
      group: { kind: 'Cluster', tenant: '', uid: 'u', label: 'kplane.dev/fleet', name: 'f' },
      naming: { type: 'prefix', prefix: 'f-', replicas: 1, minReady: 0, maxWanted: 1 },
      requiresReady: false,
      removeFirst: 'kplane.dev/remove-first',
      template: 't',
      now: new Date(),
      skip: [],
      requiredAdapters: ['dns'],
      declaredAdapters: [],
      resetsSurplus: false,
    })
    // A scan remains only if no index can serve.
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query(`explain (costs off) ${statement.text}`, statement.values)
    await client.query('reset enable_seqscan')
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(uses(plan, 'resources_by_parent'), plan).toBeGreaterThan(0)
    expect(plan).not.toContain('Seq Scan on resources')
  })

  it('are searched for unknown targets through the index, after any number of executions', async () => {
    const pattern = JSON.stringify({ target: ['nowhere'] })
    const ask = `select has_unknown_reference(array[$1::jsonb], array['a']) as found`
    for (let time = 0; time < 8; time += 1) {
      expect((await client.query(ask, [pattern])).rows).toEqual([{ found: false }])
    }
    const before = await tableScans()
    await client.query(ask, [pattern])
    expect(await tableScans()).toBe(before)
  })
})
