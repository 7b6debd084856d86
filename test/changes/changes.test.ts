import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChangeList,
  Client,
  NotFound,
  type ReportedCondition,
  type ResourceChange,
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

/** Reads changes until the log has the number of them: the sequencer moves them a little later. */
async function changesOf(id: string, count: number): Promise<ChangeList> {
  for (;;) {
    const list = await client.clusters.changes(id)
    if (list.items.length >= count) return list
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function typesOf({ items }: ChangeList): string[] {
  return items.map(({ type, fields }) => `${type} ${fields.join(',')}`)
}

async function report(
  id: string,
  generation: number,
  ...conditions: readonly ReportedCondition[]
): Promise<void> {
  const report = { adapter: 'dns', observed_generation: generation, conditions }
  await client.statuses.create(id, report)
}

const AVAILABLE: ReportedCondition = { type: 'Available', status: 'True', reason: 'Served' }

test('a life of a cluster, newest first, with values before and after', async () => {
  const name = newName()
  const { id } = await client.clusters.create({ name, spec: { size: 1 }, labels: { tier: 'gold' } })
  await report(id, 1, AVAILABLE)
  await client.clusters.patch(id, { spec: { size: 2 } })
  await client.clusters.patch(id, { labels: { tier: 'silver' } })
  await client.clusters.patch(id, { annotations: { 'example.com/note': 'x' } })
  await client.clusters.delete(id)
  const list = await changesOf(id, 6)
  expect(typesOf(list)).toEqual([
    'deleted conditions',
    'updated annotations',
    'updated labels',
    'updated spec,conditions',
    'reported conditions,statuses',
    'created spec,labels',
  ])
  expect(list).toMatchObject({ kind: 'ChangeList', next: null, complete: true })
  const [deleted, , relabelled, respecified, reported, created] = list.items
  const common = { kind: 'Cluster', id, name }
  expect(deleted).toMatchObject({ ...common, generation: 3, by: 'system@hyperfleet.local' })
  expect(relabelled).toMatchObject({
    labels: { old: { tier: 'gold' }, new: { tier: 'silver' } },
    generation: 2,
  })
  expect(relabelled).not.toHaveProperty('spec')
  expect(respecified).toMatchObject({ spec: { old: { size: 1 }, new: { size: 2 } } })
  expect(reported).toMatchObject({ ...common, adapter: 'dns', by: 'dns', generation: 1 })
  expect(reported?.conditions).toContainEqual({
    type: 'Ready',
    old: {
      status: 'False',
      reason: 'AwaitingAdapters',
      message: 'Waiting for adapters to report status',
    },
    new: {
      status: 'True',
      reason: 'ResourceReady',
      message: 'All adapters report ready at current generation',
    },
  })
  expect(reported?.conditions).toContainEqual({
    type: 'DnsSuccessful',
    old: null,
    new: { status: 'True', reason: 'Served' },
  })
  expect(created).toMatchObject({ spec: { old: null, new: { size: 1 } }, by: expect.any(String) })
  expect(Date.parse(created?.time ?? '')).toBeLessThanOrEqual(Date.parse(deleted?.time ?? ''))
})

test('a report that changes only its data is an entry, and a heartbeat is not', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  const body = { adapter: 'dns', observed_generation: 1, conditions: [AVAILABLE] }
  await client.statuses.create(id, { ...body, data: { zones: 1 } })
  await client.statuses.create(id, { ...body, data: { zones: 1 } })
  await client.statuses.create(id, { ...body, data: { zones: 2 } })
  const list = await changesOf(id, 3)
  expect(typesOf(list)).toEqual([
    'reported statuses',
    'reported conditions,statuses',
    'created spec',
  ])
  expect(list.items[0]).toMatchObject({ adapter: 'dns', kind: 'Cluster' })
})

test('a removed resource keeps its changes until the log drops them', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  await client.clusters.delete(id)
  await report(id, 2, AVAILABLE, { type: 'Finalized', status: 'True' })
  await expect(client.clusters.get(id)).rejects.toThrow(NotFound)
  await expect
    .poll(() => client.clusters.changes(id))
    .toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ type: 'removed', fields: [], id }),
        expect.objectContaining({ type: 'created' }),
      ]),
      complete: true,
    })
  expect((await client.clusters.changes(id)).items[0]?.type).toBe('removed')
  // As the compaction does.
  await queryDatabase(server, 'update head set compacted = revision')
  await expect(client.clusters.changes(id)).rejects.toThrow(NotFound)
})

test('is incomplete if the log no longer has the creation', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  await changesOf(id, 1)
  await queryDatabase(server, 'update head set compacted = revision')
  expect(await client.clusters.changes(id)).toMatchObject({ items: [], complete: false })
  await client.clusters.patch(id, { spec: { size: 2 } })
  const list = await changesOf(id, 1)
  expect(typesOf(list)).toEqual(['updated spec'])
  expect(list.complete).toBe(false)
})

describe('pages', () => {
  test('follow each other without gaps, also between the rows of a report', async () => {
    const { id } = await client.clusters.create({ name: newName() })
    for (let size = 1; size < 5; size += 1) {
      await client.clusters.patch(id, { spec: { size } })
      await report(id, size + 1, AVAILABLE)
    }
    const all = await changesOf(id, 9)
    expect(all.items).toHaveLength(9)
    for (const limit of [1, 2, 4, 9]) {
      const found: ResourceChange[] = []
      for (let before: string | null | undefined; before !== null;) {
        const page = await client.clusters.changes(id, { limit, before })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        expect(page.complete).toBe(true)
        found.push(...page.items)
        before = page.next
      }
      expect(found, `limit ${limit}`).toEqual(all.items)
    }
  })

  test('end after 4 MB of specs', async () => {
    const big = () => randomBytes(350_000).toString('base64')
    const { id } = await client.clusters.create({ name: newName(), spec: { big: big() } })
    for (let size = 1; size < 8; size += 1) {
      await client.clusters.patch(id, { spec: { big: big(), size } })
    }
    await expect.poll(async () => (await client.clusters.changes(id)).items[0]?.generation).toBe(8)
    let count = 0
    let pages = 0
    for (let before: string | null | undefined; before !== null; pages += 1) {
      const page = await client.clusters.changes(id, { before })
      expect(page.items.length).toBeGreaterThan(0)
      count += page.items.length
      before = page.next
    }
    expect(count).toBe(8)
    expect(pages).toBeGreaterThanOrEqual(2)
  })

  test.each([
    ['limit=0', 400],
    ['limit=201', 400],
    ['limit=x', 400],
    ['before=x', 400],
    ['before=00000000.1', 410],
    ['after=x', 400],
  ])('%s is %i', async (query, status) => {
    const { id } = await client.clusters.create({ name: newName() })
    expect((await server.get(`/clusters/${id}/changes?${query}`)).status).toBe(status)
  })
})

test('nested and flat paths and /resources agree, and other kinds have none of it', async () => {
  const cluster = await client.clusters.create({ name: newName() })
  const pool = await client.nodepools.create({ cluster: cluster.id, name: 'pool' })
  const flat = `/nodepools/${pool.id}/changes`
  await expect.poll(async () => (await server.get(flat)).body.items.length).toBe(1)
  const { body } = await server.get(flat)
  expect(body.items[0]).toMatchObject({ kind: 'NodePool', name: 'pool', type: 'created' })
  const nested = await server.get(`/clusters/${cluster.id}/nodepools/${pool.id}/changes`)
  expect(nested.body).toEqual(body)
  expect((await server.get(`/resources/${pool.id}/changes`)).body).toEqual(body)
  expect((await server.get(`/clusters/${pool.id}/changes`)).status).toBe(404)
  const elsewhere = await client.clusters.create({ name: newName() })
  const wrong = `/clusters/${elsewhere.id}/nodepools/${pool.id}/changes`
  expect((await server.get(wrong)).status).toBe(404)
  expect((await server.get('/clusters/unknown/changes')).status).toBe(404)
})
