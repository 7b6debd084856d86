import type { ClientBase } from 'pg'
import { sampleStatus } from '../../bench/data/stored-state.ts'
import { cluster } from '../../src/hyperfleet/kinds/cluster/kind.ts'
import { initialConditions } from '../../src/hyperfleet/statuses/conditions/synthesis/initial-conditions.ts'
import { synthesize } from '../../src/hyperfleet/statuses/conditions/synthesis/synthesize.ts'
import type { ResourceCondition } from '../../src/store/model/condition.ts'
import { conditionMap } from '../../src/store/resources/resource-row.ts'

const TIME = new Date('2026-01-01T00:00:00Z')
/** The adapters whose reports `seedReports` can add. */
const REQUIRED = ['dns', 'validator']

/** The conditions that a server writes: after reports at the first generation, and after a new spec. */
function conditionsAt(generation: 1 | 2): readonly ResourceCondition[] {
  const common = {
    kind: cluster,
    required: REQUIRED,
    deleting: false,
    reports: REQUIRED.map((adapter) => sampleStatus(adapter)),
    now: TIME,
  }
  const previous = initialConditions(TIME)
  const reported = synthesize({ ...common, generation: 1, previous, cause: 'report' })
  if (generation === 1) return reported
  return synthesize({ ...common, generation, previous: reported, cause: 'spec-change' })
}

/**
 * Fills an empty `resources` table with clusters that have four labels, a spec of 1 KB and the conditions of
 * two adapters. 3 % have a new spec without reports, so Ready is False. The same number gives the same rows.
 */
export async function seedClusters(client: ClientBase, rows: number): Promise<void> {
  await client.query('set statement_timeout = 0')
  const { rows: found } = await client.query<{ rows: string }>(
    'select count(*) as rows from resources',
  )
  if (Number(found[0]?.rows) >= rows) return
  const states = [conditionsAt(1), conditionsAt(2)]
  const toJson = (value: object): string => JSON.stringify(value)
  await client.query(
    `insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
       created_time, updated_time, created_by, updated_by)
     select '2' || lpad(n::text, 26, '0'), 'Cluster', 'cluster-' || n, case when n % 33 = 0 then 2 else 1 end, 1,
       jsonb_build_object('region', 'r' || n % 20, 'filler', repeat(md5(n::text), 30)),
       jsonb_build_object('environment', (array['dev','staging','production'])[1 + n % 3],
         'region', (array['eu-west-1','us-east-1','ap-south-1'])[1 + n % 3],
         'team', 'team-' || n % 10000, 'app.kubernetes.io/name', 'app-' || n % 1000),
       case when n % 33 = 0 then $3::json else $2::json end,
       case when n % 33 = 0 then $5::jsonb else $4::jsonb end,
       timestamptz '2026-01-01' + n * interval '1 second',
       timestamptz '2026-01-01' + n * interval '1 second', 'seed', 'seed'
     from generate_series(1, $1::integer) as n`,
    [rows, ...states.map(toJson), ...states.map((each) => toJson(conditionMap(each)))],
  )
  await client.query('vacuum analyze resources')
}
