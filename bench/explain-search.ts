import pg from 'pg'
import { bind } from '../src/store/search/bind/bind.ts'
import { compile } from '../src/store/search/sql/compile.ts'
import { fieldsOf } from '../src/store/search/bind/fields.ts'
import { parse } from '../src/store/search/language/parse.ts'
import { listStatement } from '../src/store/resources/list/list-resources.ts'
import { scope } from '../src/store/resources/list/scope.ts'
import { cluster } from '../src/hyperfleet/kinds/cluster/kind.ts'
import { seedClusters } from './seed-clusters.ts'
import { seedReports } from './seed-reports.ts'
import sql from 'sql-template-tag'

const SEARCHES = [
  "labels.team='team-4711'",
  "labels.team in ('team-1','team-2')",
  "labels.team='team-4711' and status.conditions.Ready='False'",
  "labels.region='eu-west-1' and labels.team='team-4711'",
  "status.conditions.Available='Unknown'",
  "status.conditions.Ready='False'",
  "not status.conditions.Ready='True'",
  "name='cluster-500000'",
  "name in ('cluster-1','cluster-2')",
  "name like 'cluster-4711%'",
  "id='none'",
  'deleted_time is not null',
  "status.conditions.Ready='False' or status.conditions.Ready.last_updated_time < '2026-01-02T00:00:30Z'",
  "status.conditions.Ready.last_transition_time > '2026-01-01'",
  "status.conditions.Ready='False' and status.conditions.Ready.observed_generation < 1",
  "spec.region='r7'",
  "spec.region like 'r1%' and labels.team='team-4711'",
]

const FIELDS = fieldsOf({ ...cluster, specSchema: {}, hrefPrefix: '/' })

/** Seeds the migrated database at DATABASE_URL with `--rows N` clusters and their reports, and prints the plans of searches. */
async function main(): Promise<void> {
  const rows = Number(process.argv[process.argv.indexOf('--rows') + 1] ?? 1_000_000)
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  await seedClusters(client, rows)
  await seedReports(client, cluster.requiredAdapters)
  for (const search of SEARCHES) await explain(client, search)
  await client.end()
}

async function explain(client: pg.Client, search: string): Promise<void> {
  const expression = parse(search)
  if (!expression) return
  const where = sql`${scope({ tenant: null, kind: 'Cluster', ownerId: null })} and (${compile(bind(expression, FIELDS))})`
  const statement = listStatement({
    where,
    orderBy: [
      { column: 'created_time', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ],
    limit: 20,
    offset: 0,
    columns: 'versions',
    counted: null,
  })
  const plan = await client.query<Record<string, string>>(
    `explain (analyze, costs off, timing off, summary on) ${statement.text}`,
    statement.values,
  )
  const lines = plan.rows.map((row) => row['QUERY PLAN'] ?? '')
  console.log(`\n## ${search}\n\n${lines.filter((line) => /Scan|Execution/.test(line)).join('\n')}`)
}

await main()
