import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import type { ReportRequest } from '../../src/hyperfleet/statuses/operations/decide-report.ts'
import { leaseEnded } from '../../src/hyperfleet/statuses/operations/lease-ended.ts'
import { reportStatus } from '../../src/hyperfleet/statuses/operations/report-status.ts'
import type { Target } from '../../src/store/operations/read/read-resource.ts'
import { availableReport } from '../statuses/available-report.ts'
import { statementCounts } from '../snapshots/snapshot-requests.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'
import type { TestServer } from '../support/test-server.ts'
import {
  complete,
  createCluster,
  DNS_ONLY,
  endDelay,
  expireLease,
  lease,
  leaseAll,
  leaseMany,
  leaseOne,
  type WorkItem,
} from './worker.ts'

let pair: Pair
let server: TestServer
let other: TestServer
beforeAll(async () => {
  pair = await startPair(DNS_ONLY)
  const [first, second] = pair.servers
  server = first
  other = second
})
afterAll(() => pair[Symbol.asyncDispose]())
beforeEach(async () => {
  await pair.query('delete from resources')
  await leaseAll(server)
})

const pathOf = ({ lease: { token } }: { lease: { token: string } }) =>
  `/adapters/dns/leases/${token}`

describe('a lease', () => {
  it('is refused if its request has an unknown member', async () => {
    const problem = {
      status: 400,
      detail: "lease_seconds is not a member that this request takes: did you mean 'leaseSeconds'?",
    }
    const refused = await server.post('/adapters/dns/lease', { lease_seconds: 600 })
    expect(refused.body).toMatchObject(problem)
    await createCluster(server)
    const item = await leaseOne(server)
    const renewed = await server.post(`${pathOf(item)}/renew`, { lease_seconds: 600 })
    expect(renewed.body).toMatchObject(problem)
  })

  it('that has expired is fenced: its report changes nothing', async () => {
    const { id } = await createCluster(server)
    const paused = await leaseOne(server)
    await expireLease(server, id)
    const current = await leaseOne(other)
    expect(current).toMatchObject({ attempt: 2, resource: { id } })
    const late = await complete(server, paused, { data: { from: 'the paused worker' } })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ code: 'HYPERFLEET-CNF-003' })
    expect((await server.get(`/clusters/${id}/statuses`)).body.items).toEqual([])
    expect((await complete(other, current, { data: { from: 'the current worker' } })).status).toBe(
      201,
    )
    expect((await complete(server, paused)).status).toBe(409)
    const { body } = await server.get(`/clusters/${id}/statuses`)
    expect(body.items[0].data).toEqual({ from: 'the current worker' })
    expect(body.items).toHaveLength(1)
  })

  it('that has expired is fenced before another worker has the resource', async () => {
    const { id } = await createCluster(server)
    const item = await leaseOne(server)
    await expireLease(server, id)
    expect((await complete(server, item)).status).toBe(409)
    expect((await server.request('POST', `${pathOf(item)}/renew`, {})).status).toBe(409)
  })

  it('is fenced for discarded reports and for the report that removes the resource', async () => {
    const { id } = await createCluster(server)
    await complete(server, await leaseOne(server))
    await server.request('DELETE', `/clusters/${id}`)
    const item = await leaseOne(server)
    await expireLease(server, id)
    const discarded = await complete(server, item, { observed_generation: 0 })
    expect(discarded.status).toBe(409)
    const conditions = ['Available', 'Finalized'].map((type) => ({ type, status: 'True' }))
    expect((await complete(server, item, { conditions })).status).toBe(409)
    expect((await server.get(`/clusters/${id}`)).status).toBe(200)
    const current = await leaseOne(server)
    expect((await complete(server, current, { observed_generation: 0 })).status).toBe(204)
    expect((await complete(server, current, { conditions })).status).toBe(201)
    expect((await server.get(`/clusters/${id}`)).status).toBe(404)
  })

  it('belongs to one adapter and one resource', async () => {
    await createCluster(server)
    await createCluster(server)
    const first = await leaseOne(server)
    const second = await leaseOne(server)
    const stolen = { ...first, lease: second.lease }
    expect((await complete(server, stolen)).status).toBe(409)
    const body = { conditions: [{ type: 'Available', status: 'True' }], adapter: 'hypershift' }
    expect((await complete(server, first, body)).status).toBe(409)
    expect((await complete(server, first)).status).toBe(201)
  })

  it('lasts longer after a renewal', async () => {
    await createCluster(server)
    const item = await leaseOne(server, { leaseSeconds: 5 })
    const renewed = await other.request('POST', `${pathOf(item)}/renew`, { leaseSeconds: 3600 })
    expect(renewed.body.token).toBe(item.lease.token)
    const end = (time: string) => Date.parse(time)
    expect(end(renewed.body.expires_time) - end(item.lease.expires_time)).toBeGreaterThan(3_000_000)
  })

  it('that is given back makes the resource due again', async () => {
    await createCluster(server)
    const item = await leaseOne(server)
    expect((await other.request('DELETE', pathOf(item))).status).toBe(204)
    expect((await other.request('DELETE', pathOf(item))).status).toBe(204)
    const again = await leaseOne(server)
    expect(again).toMatchObject({ attempt: 1 })
    const failed = await server.request('DELETE', `${pathOf(again)}?delaySeconds=600`)
    expect(failed.status).toBe(204)
    expect(await leaseAll(server)).toEqual([])
    // A new generation does not wait for the end of the delay.
    await server.patch(`/clusters/${again.resource.id}`, { spec: { size: 7 } })
    const changed = await leaseOne(server)
    expect(changed).toMatchObject({ attempt: 1, resource: { generation: 2 } })
  })

  it('that ends twice without a result delays the resource, longer each time', async () => {
    const { id } = await createCluster(server)
    const delays: number[] = []
    for (let round = 0; round < 5; round += 1) {
      await leaseOne(server)
      const ended = await expireLease(server, id)
      await wakeQueue()
      const [row] = await queryDatabase(
        server,
        `select coalesce(extract(epoch from wake_time)::float8 - $2, 0) as delay from adapter_work
         where token is null and resource_id = $1`,
        [id, ended],
      )
      delays.push(Math.round(Number(row?.['delay'])))
      await endDelay(server, id)
    }
    expect(delays).toEqual([0, 10, 20, 40, 80])
  })

  it('is completed by the report of its generation, and not repeatedly by others', async () => {
    const { id } = await createCluster(server)
    const first = await leaseOne(server)
    // Ahead of the resource: stored, but not the current generation.
    expect((await complete(server, first, { observed_generation: 9 })).status).toBe(201)
    const second = await leaseOne(server)
    expect(second).toMatchObject({ reason: 'NewGeneration', attempt: 2 })
    expect((await complete(server, second, { observed_generation: 9 })).status).toBe(201)
    // A wrong generation again: the adapter must not lease in a loop.
    expect(await lease(server, { waitSeconds: 1 })).toEqual([])
    await endDelay(server, id)
    expect((await complete(server, await leaseOne(server))).status).toBe(201)
    expect(await leaseAll(server)).toEqual([])
  })

  it('does not delay a generation that is newer than the lease', async () => {
    const { id } = await createCluster(server)
    const first = await leaseOne(server)
    await noteNewGeneration(id, 2)
    await complete(server, first, { headers: { 'X-Lease-Again': '600' } })
    const second = await leaseOne(server)
    expect(second).toMatchObject({ reason: 'NewGeneration', attempt: 1 })
    await noteNewGeneration(id, 3)
    await server.request('DELETE', `${pathOf(second)}?delaySeconds=600`)
    expect((await leaseOne(server)).resource.generation).toBe(3)
  })

  it('of one resource does not concern others whose reports are written in the same batch', async () => {
    await Promise.all(Array.from({ length: 24 }, () => createCluster(server)))
    const items = await leaseMany(server, 24)
    expect(items).toHaveLength(24)
    const expired = items.filter((_, index) => index % 6 === 0)
    for (const { resource } of expired) await expireLease(server, resource.id)
    const batches = async () => (await statementCounts(server)).get('write_reports') ?? 0
    const before = await batches()
    // Requests may arrive one after another. Reports of the same turn always form a batch.
    const reports = items.map((item) => reportStatus(server.operations, ...reportOf(server, item)))
    const outcomes = await Promise.allSettled(reports)
    expect(await batches()).toBe(before + 1)
    const expected = items.map((item) => (expired.includes(item) ? 'rejected' : 'fulfilled'))
    expect(outcomes.map(({ status }) => status)).toEqual(expected)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(leaseEnded())
    }
    const { rows } = await pair.query(
      `select count(*) filter (where token is null and reported_time is not null)::integer as resting,
         count(s.resource_id)::integer as reported
       from adapter_work as w left join adapter_statuses as s using (resource_id, adapter)`,
    )
    expect(rows).toEqual([{ resting: 20, reported: 20 }])
    // Heartbeats, too, complete their leases in batches.
    const due = await leaseMany(server, expired.length)
    const again = await Promise.all(due.map((item) => complete(server, item)))
    expect(again.map(({ status }) => status)).toEqual(expired.map(() => 201))
  })

  it('is completed once if its reports arrive together', async () => {
    await createCluster(server)
    const item = await leaseOne(server)
    const reports = Array.from({ length: 6 }, () => complete(server, item))
    const statuses = (await Promise.all(reports)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
  })

  it('of a removed resource ends', async () => {
    const { id } = await createCluster(server)
    const item = await leaseOne(server)
    await pair.query('delete from resources where id = $1', [id])
    expect((await complete(server, item)).status).toBe(404)
    await expect
      .poll(async () => {
        await leaseAll(server)
        return (await pair.query('select 1 from adapter_work')).rowCount
      })
      .toBe(0)
  })
})

/** Changes a spec, and waits until the queue has the new generation. */
async function noteNewGeneration(id: string, generation: number): Promise<void> {
  await server.patch(`/clusters/${id}`, { spec: { size: generation } })
  await expect
    .poll(async () => {
      await leaseAll(server)
      const text = 'select generation from adapter_work where resource_id = $1'
      return (await pair.query(text, [id])).rows
    })
    .toEqual([{ generation }])
}

/** The target and the report that `complete` sends. */
function reportOf(
  { registry }: TestServer,
  { resource, lease: { token } }: WorkItem,
): [Target, ReportRequest] {
  const { adapter, observed_generation, observed_time, ...rest } = availableReport(
    'dns',
    resource.generation,
  )
  const report = {
    ...rest,
    adapter,
    observedGeneration: observed_generation,
    observedTime: observed_time,
    metadata: null,
  }
  const kind = must(registry.find('Cluster'), 'a kind')
  return [
    { tenant: null, kind, id: resource.id, ownerId: null },
    { report, profile: 'lenient', lease: { token, againSeconds: null } },
  ]
}

/** Leases nothing, but queues the resources whose time has come. */
async function wakeQueue(): Promise<void> {
  await lease(server, { waitSeconds: 1, search: "name = 'no-cluster'" })
}
