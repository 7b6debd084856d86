import { expect, test } from 'vitest'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { startTestServer } from '../support/test-server.ts'

const ADAPTERS = ['dns', 'validator', 'pull']
const CLUSTERS = 15
const ROUNDS = 4

test('changes of conditions by concurrent reports to two servers name their adapters', async () => {
  const env = { HYPERFLEET_CLUSTER_ADAPTERS: JSON.stringify(ADAPTERS) }
  await using one = await startTestServer({ env })
  await using two = await startTestServer({ env, databaseUrl: one.databaseUrl })
  const creations = Array.from({ length: CLUSTERS }, () =>
    one.post('/clusters', { kind: 'Cluster', name: newName(), spec: {} }),
  )
  const ids = (await Promise.all(creations)).map(({ body }) => body.id)
  for (let round = 0; round < ROUNDS; round += 1) {
    const reports = ids.flatMap((id) =>
      ADAPTERS.map((adapter, at) =>
        ((round + at) % 2 === 0 ? one : two).post(`/clusters/${id}/statuses`, {
          adapter,
          observed_generation: 1,
          observed_time: new Date().toISOString(),
          conditions: [{ type: 'Available', status: 'True', reason: `Round${round}` }],
        }),
      ),
    )
    await Promise.all(reports)
  }
  const lagOf = async () => {
    const lag =
      'select (head.revision - history_cursor.revision)::text as lag from head, history_cursor'
    return (await queryDatabase(one, lag))[0]?.['lag']
  }
  await expect.poll(lagOf).toBe('0')
  const statement = `
    select count(*)::integer as entries, count(*) filter (where not exists (
      select from json_array_elements(conditions) as listed (difference)
      where lower(difference ->> 'type') = author || 'successful'))::integer as wrong
    from resource_history where type = 'reported'`
  const [counts] = await queryDatabase(one, statement)
  expect(Number(counts?.['entries'])).toBeGreaterThanOrEqual(CLUSTERS * ROUNDS)
  expect(counts?.['wrong']).toBe(0)
})
