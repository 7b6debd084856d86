import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type AdapterEvent,
  type AdapterOptions,
  Client,
  type Cluster,
  type NodePool,
  runAdapter,
} from '../../../clients/typescript/src/index.ts'
import { type Program, startNode } from '../../process/program.ts'
import { newName } from '../../support/fixtures.ts'
import { proofSize } from '../../support/proof-size.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Proxy, startProxy } from './proxy.ts'

const ENV = { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]', HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]' }

let server: TestServer
let proxy: Proxy
let client: Client

beforeAll(async () => {
  server = await startTestServer({ env: ENV })
  proxy = await startProxy(server.origin)
  client = new Client(proxy.origin)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Starts an adapter for the clusters with a label. Stops it at the end of the test. */
function start(run: string, options: Partial<AdapterOptions<'clusters'>> = {}) {
  const controller = new AbortController()
  const events: AdapterEvent<Cluster>[] = []
  const running = runAdapter({
    client,
    name: 'dns',
    kind: 'clusters',
    search: `labels.run='${run}'`,
    reconcile: () => ({ available: 'True', reason: 'ZoneServed' }),
    onEvent: (event) => void events.push(event),
    signal: controller.signal,
    ...options,
  })
  const stop = async () => {
    controller.abort()
    await running
  }
  onTestFinished(stop)
  return { events, stop, reports: () => events.filter(({ type }) => type === 'reported') }
}

function create(run: string, spec: Record<string, unknown> = {}): Promise<Cluster> {
  return client.clusters.create({ name: newName(), labels: { run }, spec })
}

test('reconciles existing, new and changed resources', async () => {
  const run = newName()
  const existing = await create(run)
  start(run, {
    reconcile: ({ spec }) => ({ available: spec['zone'] === 'bad' ? 'False' : 'True', data: spec }),
  })
  await client.clusters.waitFor(existing.id, 'Ready')
  const added = await create(run, { zone: 'a' })
  await client.clusters.waitFor(added.id, 'Ready')
  await client.clusters.patch(added.id, { spec: { zone: 'bad' } })
  const failed = ({ status, generation }: Cluster) => {
    const condition = status.conditions.find(({ type }) => type === 'DnsSuccessful')
    return condition?.status === 'False' && condition.observed_generation === generation
  }
  await client.clusters.waitFor(added.id, failed)
  expect(await client.statuses.list(added.id)).toMatchObject([
    { adapter: 'dns', observed_generation: 2, data: { zone: 'bad' } },
  ])
})

test('finalizes deletions after the work of finalize', async () => {
  const run = newName()
  const removed: string[] = []
  start(run, {
    finalize: async ({ name }) => {
      await Promise.resolve()
      removed.push(name)
      return { available: 'False', reason: 'ZoneRemoved' }
    },
  })
  const { id, name } = await create(run)
  await client.clusters.waitFor(id, 'Ready')
  await client.clusters.delete(id)
  await client.clusters.waitForRemoval(id)
  expect(removed).toEqual([name])
})

test('an adapter without finalize finalizes immediately', async () => {
  const run = newName()
  start(run)
  const { id } = await create(run)
  await client.clusters.delete(id)
  await client.clusters.waitForRemoval(id)
})

test('reports a failed reconciliation and repeats it', async () => {
  const run = newName()
  let attempts = 0
  let proceed = (): void => undefined
  const failureRead = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const adapter = start(run, {
    reconcile: async () => {
      attempts += 1
      if (attempts === 1) throw new Error('no quota')
      await failureRead
      return { available: 'True' }
    },
  })
  const { id } = await create(run)
  await expect.poll(() => adapter.events.map(({ type }) => type)).toContain('failed')
  // The adapter names the failure before it has reported it.
  await expect.poll(() => adapter.reports()).toHaveLength(1)
  expect((await client.statuses.list(id))[0]?.conditions).toMatchObject([
    { type: 'Available', status: 'False', reason: 'ReconcileFailed', message: 'no quota' },
    { type: 'Applied', status: 'False' },
    { type: 'Health', status: 'False' },
  ])
  proceed()
  await client.clusters.waitFor(id, 'Ready')
})

test('repeats a reconciliation whose own requests fail with NotFound', async () => {
  const run = newName()
  let attempts = 0
  start(run, {
    reconcile: async () => {
      attempts += 1
      if (attempts < 3) await client.clusters.get('01900000-0000-7000-8000-000000000000')
      return { available: 'True' }
    },
  })
  const { id } = await create(run)
  await client.clusters.waitFor(id, 'Ready')
  expect(attempts).toBe(3)
})

test('repeats reconciliation and report at every heartbeat', async () => {
  const run = newName()
  const adapter = start(run, { heartbeat: 50 })
  const { id } = await create(run)
  await expect.poll(() => adapter.reports().length).toBeGreaterThanOrEqual(3)
  expect(
    adapter.reports().every((event) => event.type === 'reported' && event.resource.id === id),
  ).toBe(true)
})

test('reconciles no more resources at the same time than configured', async () => {
  const run = newName()
  let current = 0
  let most = 0
  const adapter = start(run, {
    concurrency: 2,
    reconcile: async () => {
      current += 1
      most = Math.max(most, current)
      // The first one waits for a second one, however slowly the resources are created.
      await expect.poll(() => most).toBeGreaterThanOrEqual(2)
      await new Promise((resolve) => setTimeout(resolve, 20))
      current -= 1
      return { available: 'True' }
    },
  })
  for (let index = 0; index < 6; index += 1) await create(run)
  await expect.poll(() => adapter.reports().length).toBeGreaterThanOrEqual(6)
  expect(most).toBe(2)
})

test('a slow resource never blocks another one', async () => {
  const run = newName()
  const [slow, fast] = [await create(run, { slow: true }), await create(run)]
  let finish: () => void = () => undefined
  const stuck = new Promise<void>((resolve) => (finish = resolve))
  start(run, {
    reconcile: async ({ spec }) => {
      if (spec['slow'] === true) await stuck
      return { available: 'True' }
    },
  })
  await client.clusters.waitFor(fast.id, 'Ready')
  expect(await client.statuses.list(slow.id)).toEqual([])
  finish()
  await client.clusters.waitFor(slow.id, 'Ready')
})

test('shows why the server discarded a report', async () => {
  const run = newName()
  const adapter = start(run, { reconcile: () => ({ available: 'Unknown' }), heartbeat: 50 })
  await create(run)
  await expect.poll(() => adapter.reports().length).toBeGreaterThanOrEqual(2)
  expect(adapter.reports().slice(0, 2)).toMatchObject([
    { discarded: null },
    { discarded: 'unknown-after-report' },
  ])
})

test('continues after outages of the server', async () => {
  const run = newName()
  const adapter = start(run)
  const first = await create(run)
  await client.clusters.waitFor(first.id, 'Ready')
  proxy.disconnect()
  proxy.fail(503, 'refuse', 503)
  const direct = new Client(server.origin)
  const second = await direct.clusters.create({ name: newName(), labels: { run } })
  await direct.clusters.waitFor(second.id, 'Ready')
  expect(adapter.events).toContainEqual(expect.objectContaining({ type: 'failed', id: null }))
})

test('a restarted adapter leaves finished resources until their heartbeat', async () => {
  const run = newName()
  const adapter = start(run)
  const done = await create(run)
  await client.clusters.waitFor(done.id, 'Ready')
  await adapter.stop()
  const changed = await create(run)
  const seen: string[] = []
  const again = start(run, {
    heartbeat: 600_000,
    reconcile: ({ id }) => {
      seen.push(id)
      return { available: 'True' }
    },
  })
  await expect.poll(() => again.reports().length).toBeGreaterThan(0)
  expect(seen).toEqual([changed.id])
})

test('serves node pools', async () => {
  const controller = new AbortController()
  const seen: NodePool[] = []
  const running = runAdapter({
    client,
    name: 'dns',
    kind: 'nodepools',
    reconcile: (pool) => {
      seen.push(pool)
      return { available: 'True' }
    },
    signal: controller.signal,
  })
  const cluster = await create(newName())
  const pool = await client.nodepools.create({ cluster: cluster.id, name: 'workers' })
  await client.nodepools.waitFor(pool.id, 'Ready')
  expect(seen.map(({ id }) => id)).toEqual([pool.id])
  controller.abort()
  await running
})

test('rejects if the server rejects the watch', async () => {
  const { reconcile, name } = { name: 'dns', reconcile: () => ({ available: 'True' }) as const }
  const running = runAdapter({ client, name, kind: 'clusters', reconcile, search: 'nonsense' })
  await expect(running).rejects.toMatchObject({ name: 'Invalid' })
})

test('repeats work whose report was discarded when it asks for it', async () => {
  const run = newName()
  let calls = 0
  const reconcile = () => {
    calls += 1
    return { available: calls === 1 ? 'True' : 'Unknown', again: 1000 } as const
  }
  const { events } = start(run, { reconcile, heartbeat: 600_000 })
  await create(run)
  await expect.poll(() => events.length).toBeGreaterThan(3)
  expect(events[3]).toMatchObject({ type: 'reported', discarded: 'unknown-after-report' })
})

test('processes share the work, and take over that of a killed one', async () => {
  const run = newName()
  let works = 0
  const createMany = (count: number) => {
    works += count
    const clusters = Array.from({ length: count }, () => ({ name: newName(), labels: { run } }))
    return client.clusters.createMany(clusters)
  }
  const search = `labels.run='${run}'`
  const program = ['--import', 'tsx', 'test/clients/typescript/adapter-process.ts']
  await using killed = startNode([...program, server.origin, search], {})
  await using other = startNode([...program, server.origin, search], {})
  const isReady = (one: Program) => one.output().startsWith('ready\n')
  await expect.poll(() => isReady(killed) && isReady(other)).toBe(true)
  const callsOf = (one: Program) => one.output().split('\n').slice(1).filter(Boolean)
  const calls = () => [...callsOf(killed), ...callsOf(other)]
  // One process alone could do all works before the other begins.
  const haveBoth = async () => {
    await createMany(8)
    return callsOf(killed).length > 0 && callsOf(other).length > 0
  }
  await expect.poll(haveBoth, { interval: 200 }).toBe(true)
  await createMany(proofSize(1000))
  await expect.poll(() => calls().length >= works / 3, { interval: 1 }).toBe(true)
  killed.kill('SIGKILL')
  await killed.exited
  const missing = `${search} and status.conditions.DnsSuccessful is null`
  const left = async () =>
    (await client.clusters.list({ search: missing, pageSize: 1 }).firstPage()).total
  // The leases of the killed process end after 20 seconds.
  await expect.poll(left, { timeout: 120_000, interval: 1000 }).toBe(0)
  expect(new Set(calls()).size).toBe(works)
  // Only the calls that were in progress are repeated, whatever the number of works.
  expect(calls().length - works).toBeLessThan(9)
})

test('works with a server without leases', async () => {
  const run = newName()
  const unknown: typeof fetch = (input, init) =>
    fetch(String(input).replace('/adapters/dns/lease', '/unknown'), init)
  const { events } = start(run, { client: new Client(server.origin, { fetch: unknown }) })
  const { id } = await create(run)
  await client.clusters.waitFor(id, 'Ready')
  await client.clusters.delete(id)
  await client.clusters.waitForRemoval(id)
  // The removal can arrive before the response to the report that caused it.
  await expect.poll(() => events).toHaveLength(3)
  expect(events).toMatchObject([
    { type: 'failed', id: null, error: { name: 'NotFound' } },
    { type: 'reported', discarded: null },
    { type: 'reported', discarded: null },
  ])
})
