import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { availableReport } from '../statuses/available-report.ts'
import { catchUp } from '../feed/catch-up.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { proofSize } from '../support/proof-size.ts'
import type { TestServer } from '../support/test-server.ts'
import { SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'
import {
  behindGateway,
  complete,
  createCluster,
  DNS_ONLY,
  lease,
  leaseAll,
  leaseMany,
  leaseOne,
  type WorkItem,
} from './worker.ts'

describe('the queue of an adapter', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair(DNS_ONLY)
  })
  afterAll(() => pair[Symbol.asyncDispose]())
  afterEach(() => pair.query('delete from resources'))

  it('contains resources that existed before it', async () => {
    const [server] = pair.servers
    const reported = await createCluster(server)
    await server.post(`/clusters/${reported.id}/statuses`, availableReport('first', 1))
    const ids = await Promise.all(Array.from({ length: 5 }, () => createCluster(server)))
    const search = { kinds: ['Cluster'], max: 100 }
    const items = await lease(server, search, 'first')
    expect(idsOf(items)).toEqual(new Set(ids.map(({ id }) => id)))
  })

  it('is refused beyond 200 queues, except to required adapters', async () => {
    const [server] = pair.servers
    await pair.query(
      `insert into adapter_queues (adapter, kind, epoch, revision, filled_time, used_time)
       select 'other-' || number, 'Cluster', epoch, revision, now(), now()
       from head cross join generate_series(1, 200) as number`,
    )
    onTestFinished(async () => {
      await pair.query("delete from adapter_queues where adapter like 'other-%'")
    })
    const refused = await server.post('/adapters/one-more/lease', { kinds: ['Cluster'] })
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('there are already 200 queues'),
    ])
    await pair.query("delete from adapter_queues where adapter = 'dns'")
    const { id } = await createCluster(server)
    expect((await leaseOne(server)).resource.id).toBe(id)
  })

  it('is removed a week after its last use', async () => {
    const [server] = pair.servers
    await createCluster(server)
    await lease(server, { kinds: ['Cluster'] }, 'short-lived')
    await pair.query(
      "update adapter_queues set used_time = now() - interval '8 days' where adapter = 'short-lived'",
    )
    await lease(server, { kinds: ['Cluster'] }, 'next')
    const { rows } = await pair.query(
      `select count(*)::integer as rows from adapter_work where adapter = 'short-lived'
       union all select count(*)::integer from adapter_queues where adapter = 'short-lived'`,
    )
    expect(rows).toEqual([{ rows: 0 }, { rows: 0 }])
  })

  it('starts again if the log no longer has the next changes', async () => {
    const [server] = pair.servers
    await leaseAll(server)
    const { id } = await createCluster(server)
    await expect.poll(() => pair.query('select 1 from outbox').then((r) => r.rowCount)).toBe(0)
    // The changes after the queue's position were dropped.
    await pair.query('update adapter_queues set revision = -1 where revision >= 0')
    const item = await leaseOne(pair.servers[1])
    expect(item.resource.id).toBe(id)
  })

  it('forgets resources that were removed while the log was lost', async () => {
    const [server] = pair.servers
    await createCluster(server)
    const { id } = await createCluster(server)
    await leaseMany(server, 2)
    await pair.query('delete from resources where id <> $1', [id])
    await expect.poll(() => pair.query('select 1 from outbox').then((r) => r.rowCount)).toBe(0)
    await pair.query('update adapter_queues set revision = -1 where revision >= 0')
    // The server reads the log again once it knows of the removal, a moment after the outbox is empty.
    await expect
      .poll(async () => {
        await leaseAll(server)
        const queued = "select resource_id from adapter_work where adapter = 'dns'"
        return (await pair.query(queued)).rows
      })
      .toEqual([{ resource_id: id }])
  })

  it('keeps the leases of rows that another server added while it waited for the queue', async () => {
    const [server] = pair.servers
    await leaseAll(server)
    const { id } = await createCluster(server)
    // The server knows that the log has the cluster.
    await catchUp(server.feed)
    // Another server follows the log, and a worker leases the resource of its new row.
    await pair.query('begin')
    const { rows: own } = await pair.query('select pg_backend_pid() as pid')
    await pair.query("select 1 from adapter_queues where adapter = 'dns' for update")
    const waiting = lease(server, { waitSeconds: 1 })
    await expect
      .poll(() => {
        // In the open transaction, the list of sessions would lack those that begin later.
        const blocked =
          'select 1 from pg_stat_activity where $1::integer = any (pg_blocking_pids(pid))'
        return queryDatabase(server, blocked, [own[0]?.pid])
      })
      .toHaveLength(1)
    await pair.query(
      `insert into adapter_work (resource_id, adapter, kind, tenant, generation, token,
         leased_time, wake_time, attempts)
       values ($1, 'dns', 'Cluster', '', 1, $1 || '.other', now(), now() + interval '1 hour', 1)`,
      [id],
    )
    await pair.query("update adapter_queues set revision = revision where adapter = 'dns'")
    await pair.query('commit')
    expect(await waiting).toEqual([])
    const { rows } = await pair.query('select token from adapter_work where resource_id = $1', [id])
    expect(rows).toEqual([{ token: `${id}.other` }])
  })

  it('returns the leases of one kind if another kind fails', async () => {
    const [server] = pair.servers
    await leaseAll(server)
    await createCluster(server)
    await createCluster(server)
    const name = 'last-queue'
    await lease(server, { kinds: ['Cluster'], max: 1 }, name)
    await pair.query(
      `insert into adapter_queues (adapter, kind, epoch, revision, filled_time, used_time)
       select 'other-' || number, 'Cluster', '', 0, now(), now() from generate_series(1, 250) as number`,
    )
    try {
      const both = { kinds: ['Cluster', 'NodePool'], waitSeconds: 0, max: 5 }
      const answers = [
        await server.post(`/adapters/${name}/lease`, both),
        await server.post(`/adapters/${name}/lease`, both),
      ]
      const leased = answers.flatMap(({ body }) => body.items ?? [])
      const { rows } = await pair.query(
        'select token from adapter_work where adapter = $1 and token is not null',
        [name],
      )
      expect(leased.length + 1).toBe(rows.length)
      const full = await server.post(`/adapters/${name}/lease`, both)
      expect(full.status).toBe(409)
    } finally {
      await pair.query("delete from adapter_queues where adapter like 'other-%'")
    }
  })

  it('wakes a waiting worker on any server', async () => {
    const [server, other] = pair.servers
    await leaseAll(server)
    const waiting = [server, other].map((one) => lease(one, { waitSeconds: 30, max: 1 }))
    const created = await Promise.all([createCluster(server), createCluster(server)])
    const items = (await Promise.all(waiting)).flat()
    expect(idsOf(items)).toEqual(new Set(created.map(({ id }) => id)))
  })

  it('wakes a waiting worker when another one gives its lease back', async () => {
    const [server, other] = pair.servers
    const { id } = await createCluster(server)
    const item = await leaseOne(server)
    const waiting = lease(other, { waitSeconds: 30 })
    await server.request('DELETE', `/adapters/dns/leases/${item.lease.token}`)
    expect(idsOf(await waiting)).toEqual(new Set([id]))
  })

  it('leases the resources that match a search', async () => {
    const [server] = pair.servers
    await createCluster(server)
    const { id } = await createCluster(server, { labels: { region: 'eu' } })
    const eu = { search: "labels.region = 'eu'" }
    expect((await leaseOne(server, eu)).resource.id).toBe(id)
    expect(await leaseAll(server, eu)).toEqual([])
    expect(await leaseAll(server)).toHaveLength(1)
  })

  it('covers several kinds', async () => {
    const [server] = pair.servers
    const { id } = await createCluster(server)
    const body = { kind: 'NodePool', name: 'pool', spec: { size: 1 } }
    const pool = await server.post(`/clusters/${id}/nodepools`, body)
    const kinds = { kinds: ['Cluster', 'NodePool'] }
    const items = [
      await leaseOne(server, kinds).then(({ resource }) => resource),
      await leaseOne(server, kinds).then(({ resource }) => resource),
    ]
    expect(new Set(items.map((resource) => resource.id))).toEqual(new Set([id, pool.body.id]))
    const leased = must(
      items.find(({ kind }) => kind === 'NodePool'),
      'the node pool',
    )
    expect(leased).toEqual((await server.get(`/nodepools/${leased.id}`)).body)
  })

  it('never gives one resource to two workers', async () => {
    const [server] = pair.servers
    const clusters = await createMany(proofSize(300))
    for (const each of pair.servers) await catchUp(each.feed)
    const workers = Array.from({ length: 16 }, (_, index) => index)
    const shares = workers.map((index) => leaseAll(pair.at(index), { max: 1, leaseSeconds: 3600 }))
    const items = (await Promise.all(shares)).flat()
    expect(items).toHaveLength(clusters.length)
    expect(idsOf(items)).toEqual(new Set(clusters))
    // No later lease has replaced one of them.
    const reports = await Promise.all(items.map((item) => complete(server, item)))
    expect(new Set(reports.map(({ status }) => status))).toEqual(new Set([201]))
  })

  it('accepts one report of each resource if leases end before their reports', async () => {
    const clusters = await createMany(40)
    const workers = Array.from({ length: 12 }, (_, index) => worker(index))
    const results = (await Promise.all(workers)).flat()
    const stored = await pair.query(
      `select resource_id, revision, data ->> 'worker' as worker from adapter_statuses`,
    )
    // Each cluster has exactly one accepted report, and it is the one that is stored.
    expect(results.filter(({ status }) => status === 201)).toHaveLength(clusters.length)
    expect(results.filter(({ status }) => status === 409)).not.toEqual([])
    expect(stored.rows).toHaveLength(clusters.length)
    for (const row of stored.rows) {
      const accepted = results.filter(({ id, status }) => id === row.resource_id && status === 201)
      expect(accepted.map(({ index }) => String(index))).toEqual([row.worker])
    }
  })

  async function createMany(count: number): Promise<string[]> {
    const [server] = pair.servers
    const clusters = await Promise.all(Array.from({ length: count }, () => createCluster(server)))
    await leaseOne(server).then(({ lease: { token } }) =>
      server.request('DELETE', `/adapters/dns/leases/${token}`),
    )
    return clusters.map(({ id }) => id)
  }

  /** Leases and reports until nothing is left. Some of its leases end before it reports. */
  async function worker(index: number): Promise<{ id: string; index: number; status: number }[]> {
    const server = pair.at(index)
    const results: { id: string; index: number; status: number }[] = []
    for (;;) {
      const items = await lease(server, { max: 4, waitSeconds: 0 })
      for (const [place, item] of items.entries()) {
        const { id } = item.resource
        if ((index + place) % 3 === 0 && item.attempt === 1) await forceExpiry(item)
        const { status } = await complete(server, item, { data: { worker: index } })
        results.push({ id, index, status })
      }
      if (items.length > 0) continue
      const unreported = `select 1 from adapter_work
        where adapter = 'dns' and kind = 'Cluster' and reported_time is null`
      const { rowCount } = await pair.query(unreported)
      if (rowCount === 0) return results
    }
  }

  async function forceExpiry({ lease: { token } }: WorkItem): Promise<void> {
    await pair.query('update adapter_work set wake_time = now() where token = $1', [token])
  }
})

describe('tenants', () => {
  let pair: Pair
  let server: TestServer
  beforeAll(async () => {
    pair = await startPair({ ...TENANT_ENV, ...DNS_ONLY })
    server = pair.at(0)
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  it('take turns, so that one with much work does not delay the others', async () => {
    const adapter = behindGateway(server, SYSTEM_HEADERS)
    const owners = new Map<string, string>()
    const create = async (org: string): Promise<void> => {
      const { id } = await createCluster(behindGateway(server, tenantHeaders(org)))
      owners.set(id, org)
    }
    const countOf = (org: string, items: readonly WorkItem[]) =>
      items.filter(({ resource }) => owners.get(resource.id) === org).length
    await Promise.all(Array.from({ length: 40 }, () => create('large')))
    await create('small')
    await create('small')
    await logged()
    const first = await lease(adapter, { max: 6 })
    expect([countOf('small', first), countOf('large', first)]).toEqual([2, 4])
    await lease(adapter, { max: 20 })
    // Later work comes after the work that has been leased, not after all of it.
    await create('late')
    await create('late')
    await logged()
    const next = await lease(adapter, { max: 4 })
    expect([countOf('late', next), countOf('large', next)]).toEqual([2, 2])
    // Another server, which has leased nothing yet, continues in the same order.
    for (let count = 0; count < 10; count += 1) await create('other')
    await logged()
    const elsewhere = await lease(behindGateway(pair.at(1), SYSTEM_HEADERS), { max: 6 })
    expect([countOf('other', elsewhere), countOf('large', elsewhere)]).toEqual([3, 3])
  })

  it('lease only their own resources, and only as a required adapter', async () => {
    const [one, two] = ['one', 'two'].map((org) => behindGateway(server, tenantHeaders(org)))
    const { id } = await createCluster(must(one, 'a tenant'))
    expect(await lease(must(two, 'a tenant'), { waitSeconds: 0 })).toEqual([])
    const item = await leaseOne(must(one, 'a tenant'))
    expect(item.resource.id).toBe(id)
    const path = `/adapters/dns/leases/${item.lease.token}`
    const renewed = await two?.request('POST', `${path}/renew`, {})
    expect(renewed?.status).toBe(409)
    const unknown = await one?.post('/adapters/unknown/lease', { kinds: ['Cluster'] })
    expect(unknown?.status).toBe(403)
  })

  /** Resolves when both servers have read all changes from the log. */
  async function logged(): Promise<void> {
    for (const each of pair.servers) await catchUp(each.feed)
  }
})

function idsOf(items: readonly WorkItem[]): Set<string> {
  return new Set(items.map(({ resource }) => resource.id))
}
