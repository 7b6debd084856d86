import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { availableReport } from '../statuses/available-report.ts'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { behindGateway, complete, createCluster, lease, leaseAll, leaseOne } from './worker.ts'

const LEASE = '/adapters/dns/lease'
const AGED = "= now() - interval '400 seconds'"
const ENV = {
  ...TENANT_ENV,
  HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]',
  HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]',
}

describe('the age of reports that a tenant asks for', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ env: ENV })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const callers = () => {
    const [one, two] = ['one', 'two'].map((org) => behindGateway(server, tenantHeaders(org)))
    return [must(one, 'a tenant'), must(two, 'a tenant')] as const
  }

  it('queues only the resources of the tenant when the queue is filled', async () => {
    const [tenant, other] = callers()
    const ids: string[] = []
    for (const caller of [tenant, other]) {
      const { id } = await createCluster(caller)
      const pool = { kind: 'NodePool', name: newName(), spec: { size: 1 } }
      const { body } = await caller.post(`/clusters/${id}/nodepools`, pool)
      await caller.post(`/nodepools/${body.id}/statuses`, availableReport('dns', 1))
      ids.push(body.id)
    }
    await queryDatabase(server, `update adapter_statuses set last_report_time ${AGED}`)
    const leased = await lease(tenant, { kinds: ['NodePool'], maxAgeSeconds: 300 })
    expect(leased).toMatchObject([{ reason: 'ReportExpired', resource: { id: ids[0] } }])
    expect(await resting('NodePool')).toEqual([{ resource_id: ids[1] }])
  })

  it('queues only the resources of the tenant', async () => {
    const [tenant, other] = callers()
    const system = behindGateway(server, SYSTEM_HEADERS)
    await leaseAll(system, { kinds: ['Cluster'], leaseSeconds: 3600 })
    const ids: string[] = []
    for (const caller of [tenant, other]) {
      ids.push((await createCluster(caller)).id)
      await complete(caller, await leaseOne(caller, { kinds: ['Cluster'] }))
    }
    await queryDatabase(server, `update adapter_statuses set last_report_time ${AGED}`)
    await queryDatabase(
      server,
      `update adapter_work set reported_time ${AGED} where reported_time is not null`,
    )
    const old = { kinds: ['Cluster'], maxAgeSeconds: 300 }
    const leased = await leaseAll(tenant, old)
    expect(leased).toMatchObject([{ reason: 'ReportExpired', resource: { id: ids[0] } }])
    expect(await resting('Cluster')).toEqual([{ resource_id: ids[1] }])
    const rest = await leaseAll(system, old)
    expect(rest).toMatchObject([{ reason: 'ReportExpired', resource: { id: ids[1] } }])
  })

  /** The resources that are not due. */
  const resting = (kind: string) =>
    queryDatabase(
      server,
      'select resource_id from adapter_work where kind = $1 and reported_time is not null',
      [kind],
    )
})

describe('a request that finds only resources that are no longer due', () => {
  const ROWS = 60_000
  let server: TestServer
  let client: pg.Client
  beforeAll(async () => {
    server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' } })
    client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    await leaseAll(server)
  })
  afterEach(() => client.query('truncate adapter_work'))
  afterAll(async () => {
    await client.end()
    await server[Symbol.asyncDispose]()
  })

  /** Queues resources that do not exist. */
  const queueMany = () =>
    client.query(
      `insert into adapter_work (resource_id, adapter, kind, tenant, generation, position)
       select 'gone-' || number, 'dns', 'Cluster', '', 1, number
       from generate_series(1, ${ROWS}) as number`,
    )

  async function queued(): Promise<number> {
    const text = 'select count(*)::integer as count from adapter_work where position is not null'
    const { rows } = await client.query<{ count: number }>(text)
    return must(rows[0], 'a count').count
  }

  it('stops when its client disconnects', async () => {
    await queueMany()
    const abort = new AbortController()
    const request = fetch(`${server.origin}${BASE_PATH}${LEASE}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ kinds: ['Cluster'], max: 1, waitSeconds: 60 }),
      signal: abort.signal,
    }).catch((error: unknown) => error)
    await expect.poll(queued).toBeLessThan(ROWS)
    abort.abort()
    await request
    await expect.poll(() => waiters(server)).toBe(0)
    expect(await queued()).toBeGreaterThan(0)
  })

  it('answers in time, and the next request continues', async () => {
    await queueMany()
    const wanted = { kinds: ['Cluster'], max: 1, waitSeconds: 0 }
    expect(await lease(server, wanted)).toEqual([])
    const left = await queued()
    expect(left).toBeGreaterThan(0)
    await client.query("delete from adapter_work where resource_id <> 'gone-60000'")
    expect(await lease(server, wanted)).toEqual([])
    expect(await queued()).toBe(0)
  })
})

/** The number of requests that wait at a server. */
async function waiters(server: TestServer): Promise<number> {
  const text = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith('flotilla_adapter_lease_waiters '))
  return Number(must(line, 'the metric').split(' ').at(-1))
}
