import sql, { type Sql } from 'sql-template-tag'
import { expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { claimStatement } from '../../src/adapter-work/storage/claim-work.ts'
import { declaringFilter } from '../../src/adapter-work/storage/declaring-resources.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** A node of `explain (format json)`. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

async function planOf(database: Database, statement: Sql): Promise<PlanNode> {
  const explain = sql`explain (format json) ${statement}`
  const rows = await database.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    'explain',
    explain,
  )
  return must(rows[0]?.['QUERY PLAN'][0], 'a plan').Plan
}

const QUEUE = {
  adapter: 'dns',
  kind: 'Cluster',
  isRequired: true,
  maxAgeSeconds: null,
  tenant: null,
} as const

it('a claim limits its rows before it joins them, so that a wrong estimate of the queue costs little', async () => {
  await using copy = await createTestDatabase()
  await using database = openTestDatabase(copy.url)
  const claim = claimStatement({
    queue: QUEUE,
    filter: null,
    limit: 10,
    leaseSeconds: 60,
    nonce: 'nonce',
  })
  const plan = await planOf(database, claim)
  const limit = must(
    nodesOf(plan).find((node) => node['Node Type'] === 'Limit'),
    'a limit',
  )
  const tables = nodesOf(limit).flatMap((node) => node['Relation Name'] ?? [])
  expect(new Set(tables)).toEqual(new Set(['adapter_work']))
})

it('a claim of an adapter that no kind requires reads only the resources that declare adapters', async () => {
  await using copy = await createTestDatabase()
  await using database = openTestDatabase(copy.url)
  await database.query('insert', INSERT_MANY)
  await database.query('insert', QUEUE_MANY)
  await database.query('analyze', sql`analyze resources, adapter_work`)
  const claim = claimStatement({
    queue: { ...QUEUE, isRequired: false },
    filter: declaringFilter(QUEUE.adapter, null),
    limit: 10,
    leaseSeconds: 60,
    nonce: 'nonce',
  })
  const nodes = nodesOf(await planOf(database, claim))
  const indexes = nodes.map((node) => node['Index Name'])
  expect(indexes).toContain('resources_declaring')
  const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  expect(scans.map((node) => node['Relation Name'])).not.toContain('resources')
})

/** Clusters, none of which declares adapters. */
const INSERT_MANY = sql`
  insert into resources (
    id, kind, name, generation, version, spec, labels, conditions, cond, created_time, updated_time,
    created_by, updated_by)
  select 'c' || number, 'Cluster', 'c' || number, 1, number, '{}', '{}', '[]', '{}', now(), now(),
    '', ''
  from generate_series(1, 5000) as number`

const QUEUE_MANY = sql`
  insert into adapter_work (resource_id, adapter, kind, tenant, generation, position)
  select 'c' || number, 'dns', 'Cluster', '', 1, number from generate_series(1, 5000) as number`
