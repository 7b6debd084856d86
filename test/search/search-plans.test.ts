import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { seedClusters } from './seed-clusters.ts'
import { seedReports } from './seed-reports.ts'
import { bind } from '../../src/store/search/bind/bind.ts'
import { compile } from '../../src/store/search/sql/compile.ts'
import { fieldsOf } from '../../src/store/search/bind/fields.ts'
import { parse } from '../../src/store/search/language/parse.ts'
import { countStatement } from '../../src/store/resources/list/count-resources.ts'
import { compareText } from '../../src/lib/text/compare-text.ts'
import { buildIndexes } from '../../src/store/indexes/build-indexes.ts'
import { readDeclaredFields } from '../../src/store/indexes/indexed-field.ts'
import { indexesOf } from '../../src/store/indexes/resource-index.ts'
import { listStatement } from '../../src/store/resources/list/list-resources.ts'
import { scope } from '../../src/store/resources/list/scope.ts'
import { cluster } from '../../src/hyperfleet/kinds/cluster/kind.ts'
import { proofSize } from '../support/proof-size.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, serverNames } from '../support/test-database.ts'

const ROWS = proofSize(100_000)

const SERVED_BY: readonly (readonly [search: string, index: string])[] = [
  ["labels.team='team-4711'", 'resources_search'],
  ["labels.team in ('team-1','team-2')", 'resources_search'],
  ["labels.team='team-4711' and status.conditions.Ready='False'", 'resources_search'],
  ["status.conditions.Available='Unknown'", 'resources_search'],
  ["not status.conditions.Available='True'", 'resources_search'],
  ["name='cluster-4711'", 'resources_by_name'],
  ["name in ('cluster-1','cluster-2')", 'resources_by_name'],
  ["name like 'cluster-4711%'", 'resources_by_name'],
  ["id='2'", 'resources_pkey'],
  ["href='/api/hyperfleet/v1/clusters/2'", 'resources_pkey'],
  ["'cluster-4711' = name and true", 'resources_by_name'],
  ['NAME in ["cluster-1", `cluster-2`]', 'resources_by_name'],
  ["name == 'cluster-4711' and kind = 'Cluster' and owner_kind is null", 'resources_by_name'],
  ["owner_id = '2'", 'resources_by_'],
  ["labels.team='team-4711' and spec.size = '10' and name != labels.team", 'resources_search'],
  ["name in (labels.alias, 'cluster-1') and labels.team='team-4711'", 'resources_search'],
  ["status.conditions.Ready='False' and spec.region='r7'", 'resources_search'],
  [
    "labels.team='team-4711' and status.conditions.Ready.last_updated_time < '2026-01-02'",
    'resources_search',
  ],
  ['status.conditions.Unheard.observed_generation is not null', 'resources_search'],
]

const SERVED_BY_ONE_SCAN = [
  "status.conditions.Ready='False' or status.conditions.Ready.last_updated_time < '2026-01-02'",
  "status.conditions.DnsSuccessful.last_updated_time < '2026-01-02'",
  "status.conditions.Ready.last_transition_time < '2026-01-02'",
  'status.conditions.Ready.observed_generation < 1',
  "spec.region='r7' or spec.replicas > 3",
  "spec.region != '10' or spec.replicas like '3%'",
  'spec.region = labels.team or spec.replicas < spec.size',
  'updated_time > created_time or generation = status.conditions.Ready.observed_generation',
  "href like '%7' or deleted_by is not null",
]

const INDEXED = readDeclaredFields('Cluster:spec.region,Cluster:spec.replicas,Cluster:updated_time')

/** Searches that indexes of declared fields answer, with the last part of the name of the index. */
const SERVED_BY_DECLARED: readonly (readonly [search: string, part: string])[] = [
  ["spec.region = 'none'", 'value'],
  ["spec.region in ('none', 'nothing')", 'value'],
  ['spec.replicas = 3', 'value'],
  ['spec.replicas > 3', 'number'],
  ["spec.region like 'n%'", 'text'],
  ["spec.region < 'a'", 'text'],
]

const FIELDS = fieldsOf({ ...cluster, specSchema: {}, hrefPrefix: '/' })

const SCOPE = scope({ tenant: null, kind: 'Cluster', ownerId: null })

/** The statement of a list's first page. */
function pageStatement(where: Sql, column: 'created_time' | 'updated_time'): Sql {
  return listStatement({
    where,
    orderBy: [
      { column, direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ],
    limit: 21,
    offset: 0,
    columns: 'versions',
    counted: null,
  })
}

/** The plans of a search's first page and of its total, as text. */
async function planOf(client: pg.Client, search: string): Promise<string> {
  const filter = compile(bind(parse(search) ?? expect.unreachable(), FIELDS))
  const where = sql`${SCOPE} and (${filter})`
  return planOfAll(client, [pageStatement(where, 'created_time'), countStatement(where, 10_001)])
}

async function planOfAll(client: pg.Client, statements: readonly Sql[]): Promise<string> {
  const lines: (string | undefined)[] = []
  for (const { text, values } of statements) {
    const { rows } = await client.query<Record<string, string>>(
      `explain (costs off) ${text}`,
      values,
    )
    lines.push(...rows.map((row) => row['QUERY PLAN']))
  }
  return lines.join('\n')
}

describe.each(serverNames())(`${ROWS} clusters on the server '%s'`, (server) => {
  it('are searched through the indexes, for the page and for the total', async () => {
    await using database = await createTestDatabase(server)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await seedClusters(client, ROWS)
      await seedReports(client, ['dns', 'validator'])
      for (const [search, index] of SERVED_BY) {
        const plan = await planOf(client, search)
        expect.soft(plan, search).not.toContain('Seq Scan on resources')
        expect.soft(plan.split(index).length - 1, `${search}\n${plan}`).toBeGreaterThanOrEqual(2)
      }
      expect(await planOf(client, "labels.team like '%7'")).toContain('Seq Scan on resources')
      for (const search of SERVED_BY_ONE_SCAN) {
        const plan = await planOf(client, search)
        const scans =
          plan.match(/(?<!Subquery )Scan.* on (resources|adapter_statuses)(?![a-z_])/g) ?? []
        const rows = scans.filter((scan) => scan.endsWith('resources'))
        expect.soft(rows.length, `one for the page, one for the total: ${plan}`).toBe(2)
        const reports = scans.filter((scan) => scan.endsWith('adapter_statuses'))
        const keyed = reports.filter((scan) => scan.includes('using adapter_statuses_pkey'))
        expect.soft(keyed, `${search}\n${plan}`).toEqual(reports)
      }
      await using declared = openTestDatabase(database.url)
      const indexes = INDEXED.flatMap(indexesOf)
      const { signal } = new AbortController()
      const build = () => buildIndexes(declared, { indexes, signal })
      // Two servers that start together: one builds.
      const built = await Promise.all([build(), build()])
      expect(built.flat().toSorted(compareText)).toEqual(
        indexes.map(({ name }) => name).toSorted(compareText),
      )
      for (const [search, part] of SERVED_BY_DECLARED) {
        const plan = await planOf(client, search)
        expect
          .soft(plan.split(`_${part}`).length - 1, `${search}\n${plan}`)
          .toBeGreaterThanOrEqual(2)
        expect.soft(plan, search).not.toContain('Seq Scan on resources')
      }
      const byUpdate = await planOfAll(client, [pageStatement(SCOPE, 'updated_time')])
      expect(byUpdate).toMatch(/Limit\n *-> +Index Scan using resources_declared_\w+_time/)
      await client.query(
        `update resources set spec = jsonb_build_object('region', repeat(md5(id), 1000))
         where name = 'cluster-1'`,
      )
      expect(await buildIndexes(declared, { indexes: [], signal })).toEqual([])
      const { rows: left } = await client.query(
        "select from pg_class where relname like 'resources_declared%'",
      )
      expect(left).toEqual([])
    } finally {
      await client.end()
    }
  })
})
