import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { availableReport } from '../statuses/available-report.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { complete, createCluster, DNS_ONLY, endDelay, lease, leaseAll, leaseOne } from './worker.ts'

const AGED = { maxAgeSeconds: 300 }

/** The reasons of all due resources, by ID. The leases are given back. */
async function dueOf(server: TestServer, fields: object = {}): Promise<Map<string, string>> {
  const items = await leaseAll(server, fields)
  for (const { lease: held } of items) {
    await server.request('DELETE', `/adapters/dns/leases/${held.token}`)
  }
  return new Map(items.map(({ resource, reason }) => [resource.id, reason]))
}

async function ageReport(server: TestServer, id: string, seconds: number): Promise<void> {
  const age = 'last_report_time = now() - make_interval(secs => $2)'
  await queryDatabase(server, `update adapter_statuses set ${age} where resource_id = $1`, [
    id,
    seconds,
  ])
  await queryDatabase(
    server,
    'update adapter_work set reported_time = now() - make_interval(secs => $2) where resource_id = $1',
    [id, seconds],
  )
}

describe('a resource is due', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ env: { ...DNS_ONLY } })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('until the adapter has reported its generation', async () => {
    const { id } = await createCluster(server)
    const item = await leaseOne(server)
    expect(item).toMatchObject({ reason: 'NewGeneration', attempt: 1 })
    expect(item?.resource).toEqual((await server.get(`/clusters/${id}`)).body)
    expect(await leaseAll(server)).toEqual([])
    const answer = await complete(server, item)
    expect(answer.status).toBe(201)
    expect(await leaseAll(server, AGED)).toEqual([])
  })

  it('again after each new generation', async () => {
    const { id } = await createCluster(server)
    const first = await leaseOne(server)
    await complete(server, first)
    await server.patch(`/clusters/${id}`, { labels: { tier: 'gold' } })
    await server.patch(`/clusters/${id}`, { spec: { size: 2 } })
    const second = await leaseOne(server)
    expect(second).toMatchObject({
      reason: 'NewGeneration',
      attempt: 1,
      resource: { id, generation: 2 },
    })
    await complete(server, second)
    expect(await leaseAll(server)).toEqual([])
  })

  it('after its lease, if the generation changed during the lease', async () => {
    const { id } = await createCluster(server)
    const first = await leaseOne(server)
    await server.patch(`/clusters/${id}`, { spec: { size: 2 } })
    // The queue sees the change while the resource is leased.
    expect(await leaseAll(server)).toEqual([])
    await complete(server, first)
    const second = await leaseOne(server)
    expect(second).toMatchObject({ reason: 'NewGeneration', resource: { id, generation: 2 } })
    await complete(server, second)
  })

  it('if its last report is older than the request allows', async () => {
    const { id } = await createCluster(server)
    await complete(server, await leaseOne(server))
    await ageReport(server, id, 400)
    expect(await dueOf(server)).toEqual(new Map())
    expect(await dueOf(server, { maxAgeSeconds: 500 })).toEqual(new Map())
    const item = await leaseOne(server, AGED)
    expect(item).toMatchObject({ reason: 'ReportExpired', resource: { id } })
    // A heartbeat completes the lease too.
    expect((await complete(server, item)).status).toBe(201)
    expect(await leaseAll(server, AGED)).toEqual([])
  })

  it('not if the adapter has sent a heartbeat without a lease', async () => {
    const { id } = await createCluster(server)
    await complete(server, await leaseOne(server))
    await ageReport(server, id, 400)
    const beat = availableReport('dns', 1)
    expect((await server.post(`/clusters/${id}/statuses`, beat)).status).toBe(201)
    // The queue still has the old time, and looks at the report.
    expect(await leaseAll(server, AGED)).toEqual([])
  })

  it('while it is being deleted, until the adapter has finalized it', async () => {
    const { id } = await createCluster(server)
    await complete(server, await leaseOne(server))
    await server.request('DELETE', `/clusters/${id}`)
    const first = await leaseOne(server)
    expect(first).toMatchObject({ reason: 'Deletion', resource: { id, generation: 2 } })
    expect((await complete(server, first)).status).toBe(201)
    // The report does not finalize the resource, so it is due again after a delay.
    expect(await leaseAll(server)).toEqual([])
    await endDelay(server, id)
    const second = await leaseOne(server)
    expect(second).toMatchObject({ reason: 'Deletion', attempt: 2 })
    const conditions = ['Available', 'Finalized'].map((type) => ({ type, status: 'True' }))
    expect((await complete(server, second, { conditions })).status).toBe(201)
    expect((await server.get(`/clusters/${id}`)).status).toBe(404)
    expect(await leaseAll(server, AGED)).toEqual([])
  })

  it('not after the adapter has finalized it, while other adapters have not', async () => {
    const two = await startTestServer({
      env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns", "hypershift"]' },
    })
    try {
      const { id } = await createCluster(two)
      await complete(two, await leaseOne(two))
      await two.request('DELETE', `/clusters/${id}`)
      const item = await leaseOne(two)
      const conditions = ['Available', 'Finalized'].map((type) => ({ type, status: 'True' }))
      await complete(two, item, { conditions })
      await ageReport(two, id, 4000)
      expect(await leaseAll(two, AGED)).toEqual([])
      expect((await two.get(`/clusters/${id}`)).status).toBe(200)
    } finally {
      await two[Symbol.asyncDispose]()
    }
  })

  it('not after a report without the token, which completes the lease', async () => {
    const { id } = await createCluster(server)
    const item = await leaseOne(server)
    await server.post(`/clusters/${id}/statuses`, availableReport('dns', 1))
    await expect
      .poll(() =>
        lease(server, { waitSeconds: 0 }).then(() =>
          queryDatabase(server, 'select token from adapter_work where resource_id = $1', [id]),
        ),
      )
      .toEqual([{ token: null }])
    expect((await complete(server, item)).status).toBe(409)
  })

  it('after the time that its report asked for', async () => {
    const { id } = await createCluster(server)
    const first = await leaseOne(server)
    await complete(server, first, { headers: { 'X-Lease-Again': '600' } })
    expect(await leaseAll(server)).toEqual([])
    await endDelay(server, id)
    const second = await leaseOne(server)
    expect(second).toMatchObject({ reason: 'Requested', attempt: 1, resource: { id } })
    await complete(server, second)
    expect(await leaseAll(server)).toEqual([])
  })
})
