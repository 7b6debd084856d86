import type { ClientBase } from 'pg'

const TIMES = ['created', 'last_updated', 'last_transition']
  .map((name) => `'${name}_time', '2026-01-01T00:00:00Z'`)
  .join(', ')

/**
 * Fills an empty `resources` table with clusters that have four labels, a spec of 1 KB and two
 * aggregated conditions. Ready is False for 3 % of them. The same number gives the same rows.
 */
export async function seedClusters(client: ClientBase, rows: number): Promise<void> {
  await client.query('set statement_timeout = 0')
  const { rows: found } = await client.query<{ rows: string }>(
    'select count(*) as rows from resources',
  )
  if (Number(found[0]?.rows) >= rows) return
  await client.query(
    `insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
       created_time, updated_time, created_by, updated_by)
     select '2' || lpad(n::text, 26, '0'), 'Cluster', 'cluster-' || n, 1, 1,
       jsonb_build_object('region', 'r' || n % 20, 'filler', repeat(md5(n::text), 30)),
       jsonb_build_object('environment', (array['dev','staging','production'])[1 + n % 3],
         'region', (array['eu-west-1','us-east-1','ap-south-1'])[1 + n % 3],
         'team', 'team-' || n % 10000, 'app.kubernetes.io/name', 'app-' || n % 1000),
       json_build_array(
         json_build_object('type', 'Available', 'status', 'True', 'observed_generation', 1, ${TIMES}),
         json_build_object('type', 'Ready', 'status', case when n % 33 = 0 then 'False' else 'True' end,
           'observed_generation', 1, ${TIMES})),
       jsonb_build_object('Available', 'True', 'Ready', case when n % 33 = 0 then 'False' else 'True' end),
       timestamptz '2026-01-01' + n * interval '1 second',
       timestamptz '2026-01-01' + n * interval '1 second', 'seed', 'seed'
     from generate_series(1, $1::integer) as n`,
    [rows],
  )
  await client.query('vacuum analyze resources')
}
