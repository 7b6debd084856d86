import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { claimStatement } from '../../src/adapter-work/storage/claim-work.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** A node of `explain (format json)`. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

it('a claim limits its rows before it joins them, so that a wrong estimate of the queue costs little', async () => {
  await using copy = await createTestDatabase()
  await using database = openTestDatabase(copy.url)
  const claim = claimStatement({
    queue: { adapter: 'dns', kind: 'Cluster', isRequired: true, maxAgeSeconds: null, tenant: null },
    filter: null,
    limit: 10,
    leaseSeconds: 60,
    nonce: 'nonce',
  })
  const explain = sql`explain (format json) ${claim}`
  const rows = await database.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    'explain',
    explain,
  )
  const plan = must(rows[0]?.['QUERY PLAN'][0], 'a plan').Plan
  const limit = must(
    nodesOf(plan).find((node) => node['Node Type'] === 'Limit'),
    'a limit',
  )
  const tables = nodesOf(limit).flatMap((node) => node['Relation Name'] ?? [])
  expect(new Set(tables)).toEqual(new Set(['adapter_work']))
})
