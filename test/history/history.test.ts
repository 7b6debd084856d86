import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Client,
  type HistoryEntry,
  type HistoryList,
  NotFound,
  type ReportedCondition,
} from '../../clients/typescript/src/index.ts'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' } })
  client = new Client(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Reads the history until it has the number of entries: servers collect every second. */
async function historyOf(id: string, count: number): Promise<HistoryList> {
  const read = async (): Promise<number> => (await client.clusters.history(id)).items.length
  await expect.poll(read).toBeGreaterThanOrEqual(count)
  return client.clusters.history(id)
}

async function report(id: string, generation: number, ...more: ReportedCondition[]): Promise<void> {
  const conditions = [{ type: 'Available', status: 'True', reason: 'Served' }, ...more] as const
  await client.statuses.create(id, { adapter: 'dns', observed_generation: generation, conditions })
}

test('a life of a cluster, with the values of each path before and after', async () => {
  const name = newName()
  const spec = { size: 1, zones: ['a', 'b'], 'a/b': { '~': null } }
  const { id } = await client.clusters.create({ name, spec, labels: { tier: 'gold' } })
  await report(id, 1)
  await client.clusters.patch(id, { spec: { size: 2, zones: ['b'], 'a/b': { '~': 0, new: {} } } })
  await client.clusters.patch(id, { labels: { team: 'core' } })
  await client.clusters.patch(id, { annotations: { 'example.com/note': 'x' } })
  await client.clusters.delete(id)
  await report(id, 3, { type: 'Finalized', status: 'True' })
  await expect(client.clusters.get(id)).rejects.toThrow(NotFound)
  // The log may drop its changes now.
  const list = await historyOf(id, 7)
  await queryDatabase(server, 'update head set compacted = revision')
  expect(list).toMatchObject({ kind: 'HistoryList', next: null, complete: true })
  const types = list.items.map(({ type }) => type)
  expect(types.at(0)).toBe('removed')
  expect(types.filter((type) => type !== 'reported')).toEqual([
    'removed',
    'deleted',
    'updated',
    'updated',
    'updated',
    'created',
  ])
  const of = (type: string): HistoryEntry[] => list.items.filter((item) => item.type === type)
  const [annotated, relabelled, respecified] = of('updated')
  const by = 'system@hyperfleet.local'
  expect(of('created')).toMatchObject([
    {
      kind: 'Cluster',
      id,
      name,
      by,
      generation: 1,
      changes: [
        { path: '/spec', new: spec },
        { path: '/labels', new: { tier: 'gold' } },
      ],
    },
  ])
  expect(respecified).toMatchObject({ by, generation: 2 })
  expect(respecified?.changes).toHaveLength(4)
  expect(respecified?.changes).toEqual(
    expect.arrayContaining([
      { path: '/spec/size', old: 1, new: 2 },
      { path: '/spec/zones', old: ['a', 'b'], new: ['b'] },
      { path: '/spec/a~1b/~0', old: null, new: 0 },
      { path: '/spec/a~1b/new', new: {} },
    ]),
  )
  expect(relabelled?.changes).toEqual([
    { path: '/labels/tier', old: 'gold' },
    { path: '/labels/team', new: 'core' },
  ])
  expect(annotated?.changes).toEqual([{ path: '/annotations/example.com~1note', new: 'x' }])
  expect(of('deleted')).toMatchObject([{ by, generation: 3, changes: [] }])
  expect(of('removed')).toMatchObject([{ by: '', changes: expect.any(Array) }])
  expect(of('reported').at(-1)).toMatchObject({
    by: 'dns',
    generation: 1,
    changes: [],
    conditions: expect.arrayContaining([
      { type: 'DnsSuccessful', old: null, new: { status: 'True', reason: 'Served' } },
    ]),
  })
  // The history is longer than the log.
  await expect(client.clusters.changes(id)).rejects.toThrow(NotFound)
  expect(await client.clusters.history(id)).toEqual(list)
})

test('a heartbeat and a report that changes only data are no entries', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  await report(id, 1)
  await report(id, 1)
  await client.clusters.patch(id, { spec: { size: 2 } })
  const { items } = await historyOf(id, 3)
  expect(items.map(({ type }) => type)).toEqual(['updated', 'reported', 'created'])
})

test('a forced deletion has its user and reason', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  await client.clusters.delete(id)
  await client.clusters.forceDelete(id, 'the region is gone')
  const { items } = await historyOf(id, 3)
  expect(items[0]).toMatchObject({
    type: 'removed',
    by: 'system@hyperfleet.local',
    reason: 'the region is gone',
  })
})

test('pages follow each other without gaps', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  for (let size = 1; size < 6; size += 1) await client.clusters.patch(id, { spec: { size } })
  const all = await historyOf(id, 6)
  for (const limit of [1, 2, 5, 6]) {
    const found: HistoryEntry[] = []
    for (let before: string | null | undefined; before !== null;) {
      const page = await client.clusters.history(id, { limit, before })
      expect(page.items.length).toBeLessThanOrEqual(limit)
      found.push(...page.items)
      before = page.next
    }
    expect(found, `limit ${limit}`).toEqual(all.items)
  }
})

test('the page behind the oldest entry of a removed resource is empty', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  await client.clusters.delete(id)
  await client.clusters.forceDelete(id, 'test')
  await historyOf(id, 3)
  const page = await client.clusters.history(id, { before: '1.1' })
  expect(page).toMatchObject({ items: [], next: null, complete: true })
  expect((await server.get(`/nodepools/${id}/history?before=1.1`)).status).toBe(404)
  expect((await server.get('/clusters/unknown/history?before=1.1')).status).toBe(404)
})

describe('a request', () => {
  test.each([
    ['limit=0', 400],
    ['limit=201', 400],
    ['before=x', 400],
    ['before=1.', 400],
    ['after=x', 400],
  ])('%s is %i', async (query, status) => {
    const { id } = await client.clusters.create({ name: newName() })
    expect((await server.get(`/clusters/${id}/history?${query}`)).status).toBe(status)
  })
})

test('nested and flat paths and /resources agree', async () => {
  const cluster = await client.clusters.create({ name: newName() })
  const pool = await client.nodepools.create({ cluster: cluster.id, name: 'pool' })
  const flat = `/nodepools/${pool.id}/history`
  const count = async (): Promise<number> => (await server.get(flat)).body.items.length
  await expect.poll(count).toBe(1)
  const { body } = await server.get(flat)
  expect(body.items[0]).toMatchObject({ kind: 'NodePool', name: 'pool', type: 'created' })
  const nested = await server.get(`/clusters/${cluster.id}/nodepools/${pool.id}/history`)
  expect(nested.body).toEqual(body)
  expect((await server.get(`/resources/${pool.id}/history`)).body).toEqual(body)
  expect((await server.get(`/clusters/${pool.id}/history`)).status).toBe(404)
  const elsewhere = await client.clusters.create({ name: newName() })
  const wrong = `/clusters/${elsewhere.id}/nodepools/${pool.id}/history`
  expect((await server.get(wrong)).status).toBe(404)
  expect((await server.get('/clusters/unknown/history')).status).toBe(404)
})
