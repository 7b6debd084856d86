import pg from 'pg'
import { NOT_READY_EVERY, type SeededState, seededStates } from './seeded-states.ts'

const INSERT_CLUSTERS = `
  insert into resources (
    id, kind, name, owner_id, generation, version, spec, labels, conditions, cond,
    created_time, updated_time, created_by, updated_by)
  select '2' || lpad(number::text, 26, '0'), 'Cluster',
    (array['payments', 'search', 'media', 'ledger', 'games', 'maps'])[1 + number % 6]
      || '-' || lpad(number::text, 6, '0'),
    '', 1, state.version,
    jsonb_build_object(
      'version', '4.' || 12 + number % 8 || '.' || number % 30,
      'platform', jsonb_build_object('type', 'gcp', 'project', 'project-' || number % 97),
      'replicas', 3 + number % 20,
      'networking', jsonb_build_object('mtu', 1460, 'service_network', jsonb_build_array('172.30.0.0/16'))),
    jsonb_build_object(
      'environment', (array['dev', 'staging', 'production'])[1 + number % 3],
      'region', (array['eu-west-1', 'eu-north-1', 'us-east-1', 'us-west-2', 'ap-south-1'])[1 + number % 5],
      'team', 'team-' || number * 7919 % 500,
      'tier', (array['gold', 'silver', 'bronze'])[1 + number % 7 % 3]),
    state.conditions, state.cond, created.time, created.time, 'ada@example.com', 'ada@example.com'
  from generate_series(1, $1::integer) as number
  cross join lateral (
    select now() - ($1::integer - number) * interval '3 seconds' - interval '1 hour' as time
  ) as created
  join json_to_recordset($2::json) as state (
    index integer, version bigint, conditions json, cond jsonb
  ) on state.index = case
    when number % $3::integer = 0 then 1 + number / $3::integer % ($4::integer - 1)
    else 0 end`

const INSERT_NODE_POOLS = `
  insert into resources (
    id, kind, name, owner_id, generation, version, spec, labels, conditions, cond,
    created_time, updated_time, created_by, updated_by)
  select '2P' || substr(id, 8) || pool::text, 'NodePool', 'pool-' || pool, id, 1, version,
    jsonb_build_object('replicas', 2 + pool), labels, conditions, cond,
    created_time, updated_time, created_by, updated_by
  from resources cross join generate_series(1, 2) as pool
  where kind = 'Cluster' and id > '2' || lpad($1::text, 26, '0')`

const INSERT_REPORTS = `
  insert into adapter_statuses (
    resource_id, adapter, observed_generation, revision, conditions, available,
    available_generation, data, metadata, created_time, last_report_time, observed_time,
    finalized, condition_type)
  select resources.id, status.adapter, status.observed_generation, 1, status.conditions,
    status.available, status.available_generation, status.data, status.metadata,
    resources.created_time, now(), now(), status.finalized, status.condition_type
  from resources
  join json_to_recordset($1::json) as status (
    cond jsonb, adapter text, observed_generation integer, conditions json, available json,
    available_generation integer, data json, metadata json, finalized boolean,
    condition_type text) using (cond)
  where resources.kind = 'Cluster'
    and (resources.id > '2' || lpad($2::text, 26, '0') or resources.cond->>'Ready' = 'False')`

/** The newest clusters, which lists show first. */
const CLUSTERS_WITH_NODE_POOLS = 500
/** Reports take most of the time of the seed, so of the clusters that are ready only the newest have them. */
export const CLUSTERS_WITH_REPORTS = 20_000

/**
 * Fills an empty migrated database with clusters, their reports and some node pools. The rows do not
 * enter the change feed, whose totals are counted again. The same number gives the same names.
 */
export async function seedFleet(databaseUrl: string, clusters: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    await setTriggers(client, 'disable')
    const states = seededStates()
    const indexed = states.map((state, index) => ({ index, ...state }))
    const values = [clusters, JSON.stringify(indexed), NOT_READY_EVERY, states.length]
    await client.query(INSERT_CLUSTERS, values)
    await client.query(INSERT_NODE_POOLS, [clusters - CLUSTERS_WITH_NODE_POOLS])
    await client.query(INSERT_REPORTS, [
      JSON.stringify(states.flatMap(reportsOf)),
      clusters - CLUSTERS_WITH_REPORTS,
    ])
    await setTriggers(client, 'enable')
    await client.query('select recount_resources()')
    await client.query('vacuum analyze resources, adapter_statuses')
  } finally {
    await client.end()
  }
}

/** The reports of a state. The map of its conditions identifies the clusters in that state. */
function reportsOf({ cond, statuses }: SeededState): readonly object[] {
  return statuses.map((status) => ({ cond, ...status }))
}

async function setTriggers(client: pg.Client, action: 'enable' | 'disable'): Promise<void> {
  for (const table of ['resources', 'adapter_statuses']) {
    await client.query(`alter table ${table} ${action} trigger user`)
  }
}
