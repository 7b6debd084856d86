import { afterAll, beforeAll, expect, test } from 'vitest'
import { finalizing, fullReport, reportAll } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const ADAPTERS = ['dns', 'validator']

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: {
      HYPERFLEET_CONDITIONS: 'both',
      HYPERFLEET_CLUSTER_ADAPTERS: JSON.stringify(ADAPTERS),
      HYPERFLEET_NODEPOOL_ADAPTERS: JSON.stringify(ADAPTERS),
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

/** The first letter of the status and the generation of the four conditions, such as `T1`. */
async function conditionsOf(item: string): Promise<string> {
  const { body } = await server.get(item)
  const types: string[] = body.status.conditions
    .slice(0, 4)
    .map((each: { type: string }) => each.type)
  expect(types).toEqual(['Available', 'Ready', 'Reconciled', 'LastKnownReconciled'])
  return body.status.conditions
    .slice(0, 4)
    .map(({ status, observed_generation: at }: { status: string; observed_generation: number }) => {
      return `${status.charAt(0)}${at}`
    })
    .join(' ')
}

test('conditions of both families follow the life of a cluster with three node pools', async () => {
  const created = await server.post('/clusters', {
    kind: 'Cluster',
    name: 'whole-life',
    spec: { v: 1 },
  })
  expect(created.status).toBe(201)
  const cluster = `/clusters/${created.body.id}`
  const pools: string[] = []
  for (const name of ['pool-a', 'pool-b', 'pool-c']) {
    const pool = await server.post(`${cluster}/nodepools`, { kind: 'NodePool', name, spec: {} })
    expect(pool.status).toBe(201)
    pools.push(`${cluster}/nodepools/${pool.body.id}`)
  }
  const report = (item: string, adapter: string, generation: number, available = 'True') =>
    reportAll(server, item, [adapter], (name) => fullReport(name, generation, { available }))
  expect(await conditionsOf(cluster)).toBe('F0 F0 F0 F0')

  // The adapters report generation 1.
  await report(cluster, 'dns', 1)
  expect(await conditionsOf(cluster)).toBe('F0 F1 F1 F0')
  await report(cluster, 'validator', 1)
  expect(await conditionsOf(cluster)).toBe('T1 T1 T1 T1')
  for (const pool of pools) {
    await reportAll(server, pool, ADAPTERS, (adapter) => fullReport(adapter, 1))
    expect(await conditionsOf(pool)).toBe('T1 T1 T1 T1')
  }

  // The spec changes. One adapter follows, while the other one reports generation 1 as broken.
  const patched = await server.patch(cluster, { spec: { v: 2 } })
  expect(patched.body.generation).toBe(2)
  expect(await conditionsOf(cluster)).toBe('T1 F2 F2 T1')
  await report(cluster, 'dns', 2)
  expect(await conditionsOf(cluster)).toBe('T1 F2 F2 T1')
  await report(cluster, 'validator', 1, 'False')
  expect(await conditionsOf(cluster)).toBe('T1 F2 F2 F2')
  await report(cluster, 'validator', 2)
  expect(await conditionsOf(cluster)).toBe('T2 T2 T2 T2')

  // The cluster is deleted with its node pools.
  const deleted = await server.request('DELETE', cluster)
  expect(deleted).toMatchObject({ status: 202, body: { generation: 3 } })
  expect(await conditionsOf(cluster)).toBe('T2 F3 F3 T2')
  for (const pool of pools) expect(await conditionsOf(pool)).toBe('T1 F2 F2 T1')

  // Reports without Finalized make it Ready again, but not Reconciled.
  await reportAll(server, pools[0] ?? '', ADAPTERS, (adapter) => fullReport(adapter, 2))
  expect(await conditionsOf(pools[0] ?? '')).toBe('T2 T2 F2 T2')

  for (const [index, pool] of pools.entries()) {
    const [first, second] = ADAPTERS
    await reportAll(server, pool, [first ?? ''], finalizing(2))
    expect((await server.get(pool)).status).toBe(200)
    await reportAll(server, pool, [second ?? ''], finalizing(2))
    expect((await server.get(pool)).status).toBe(404)
    const left = await server.get(`${cluster}/nodepools`)
    expect(left.body.total).toBe(pools.length - 1 - index)
  }

  // The cluster is finalized.
  await reportAll(server, cluster, ['dns'], finalizing(3))
  expect(await conditionsOf(cluster)).toBe('T2 F3 F3 T2')
  await reportAll(server, cluster, ['validator'], finalizing(3))
  expect(await server.get(cluster)).toMatchObject({
    status: 404,
    body: { code: 'HYPERFLEET-NTF-001' },
  })

  const again = await server.post('/clusters', { kind: 'Cluster', name: 'whole-life', spec: {} })
  expect(again.status).toBe(201)
  expect(again.body.id).not.toBe(created.body.id)
})
