import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Feed, startFeed } from '../../src/core/feed/feed.ts'
import { createView, type Sight, type View } from '../../src/core/snapshots/view.ts'
import type { Database } from '../../src/core/storage/database/database.ts'
import { must } from '../../src/lib/assert.ts'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { fullReport, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import type { RootName } from '../../src/core/storage/snapshots/read-snapshot.ts'
import { createTree } from './snapshot-requests.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let database: Database
let feed: Feed
const statements: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  database = openTestDatabase(server.databaseUrl, (name) => void statements.push(name))
  feed = await startFeed({
    database,
    retention: { seconds: 3600, changes: 1_000_000 },
    onError: () => undefined,
  })
})
afterAll(async () => {
  await feed[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

function viewOf(maxBytes = 268_435_456): View {
  return createView({ database, feed, maxBytes })
}

/** Lets the view take everything that has been committed. */
async function settle(): Promise<void> {
  expect(await feed.hub.reached(await feed.sequencer.settle(), 5000)).toBe(true)
}

/** A root of a server without tenancy. */
function root(kind: string, idOrName: string): RootName {
  return { tenant: null, kind, idOrName }
}

const load = async (view: View, idOrName: string) =>
  must(await view.load(root('Cluster', idOrName)).done, 'the tree')

/** The versions of all resources, and the adapters of all reports. */
function contentOf({ state }: Sight): ReadonlyMap<string, string> {
  const resources = [...state.resources.values()].flat()
  return new Map([
    ...resources.map(({ id, version }) => [id, String(version)] as const),
    ...state.reports.map(({ resourceId, status }) => {
      return [`${resourceId} ${status.adapter}`, JSON.stringify(status.conditions)] as const
    }),
  ])
}

interface LogRow {
  readonly revision: bigint
  readonly type: string
  readonly resource_id: string
  readonly adapter: string
  readonly version: bigint
  readonly owner_id: string | null
  readonly conditions: unknown
}

/** What the log says that a tree was at a revision. */
function replay(log: readonly LogRow[], root: string, revision: bigint): Map<string, string> {
  const members = new Set<string>()
  const content = new Map<string, string>()
  for (const row of log) {
    if (row.revision > revision) break
    const id = row.resource_id
    if (id === root || members.has(row.owner_id ?? '')) members.add(id)
    if (!members.has(id)) continue
    const key = row.adapter === '' ? id : `${id} ${row.adapter}`
    if (row.type === 'DELETED') content.delete(key)
    else if (row.adapter === '') content.set(key, String(row.version))
    else content.set(key, JSON.stringify(row.conditions))
  }
  return content
}

describe('a tree in memory', () => {
  test('is found by id and by name, and by nothing else', async () => {
    using view = viewOf()
    const name = newName()
    const tree = await createTree(server, name, ['pool-a'])
    expect(view.held(root('Cluster', tree.id))).toBeNull()
    await load(view, name)
    expect(view.held(root('Cluster', tree.id))?.state.root.name).toBe(name)
    expect(view.held(root('Cluster', name))?.state.root.id).toBe(tree.id)
    expect(view.held(root('NodePool', tree.poolIds[0] ?? ''))).toBeNull()
    expect(view.held(root('Sandbox', tree.id))).toBeNull()
    expect(await view.load(root('NodePool', tree.poolIds[0] ?? '')).done).toBeNull()
    expect(await view.load(root('Cluster', 'nowhere')).done).toBeNull()
    expect(view.size.trees).toBe(1)
  })

  test('keeps the lists that have not changed', async () => {
    using view = viewOf()
    const tree = await createTree(server, newName(), ['pool-a'])
    const { state: before } = await load(view, tree.id)
    await server.patch(tree.item, { labels: { a: 'b' } })
    await settle()
    const { state: after } = must(view.held(root('Cluster', tree.id)), 'the tree')
    expect(after.root.labels).toBe('{"a": "b"}')
    expect(after.resources.get('Cluster')).not.toBe(before.resources.get('Cluster'))
    expect(after.resources.get('NodePool')).toBe(before.resources.get('NodePool'))
    expect(after.reports).toBe(before.reports)
    expect(view.held(root('Cluster', tree.id))?.state).toBe(after)
  })

  test('gives way to trees that are used more recently', async () => {
    const trees: Awaited<ReturnType<typeof createTree>>[] = []
    for (let index = 0; index < 3; index += 1) {
      trees.push(await createTree(server, newName(), ['pool-a']))
    }
    const [first, second, third] = trees.map(({ id }) => id)
    using measure = viewOf()
    await load(measure, first ?? '')
    const { bytes } = measure.size
    using view = viewOf(Math.floor(2.5 * bytes))
    await load(view, first ?? '')
    await load(view, second ?? '')
    expect(view.held(root('Cluster', first ?? ''))).not.toBeNull()
    await load(view, third ?? '')
    expect(view.size.trees).toBe(2)
    expect(view.held(root('Cluster', second ?? ''))).toBeNull()
    expect(view.held(root('Cluster', first ?? ''))).not.toBeNull()
    await server.patch(trees[0]?.item ?? '', { spec: { note: 'x'.repeat(bytes) } })
    await settle()
    expect(view.size.bytes).toBeLessThanOrEqual(2.5 * bytes)
  })

  test('takes no memory any more once it is gone', async () => {
    using view = viewOf()
    const tree = await createTree(server, newName(), ['pool-a', 'pool-b'])
    await load(view, tree.id)
    const { bytes } = view.size
    const { body: pool } = await server.post(`${tree.item}/nodepools`, {
      kind: 'NodePool',
      name: 'pool-c',
      spec: {},
    })
    await reportAll(server, `/nodepools/${pool.id}`, ['dns'], (adapter) => fullReport(adapter, 1))
    await settle()
    expect(view.size.bytes).toBeGreaterThan(bytes)
    await server.request('DELETE', tree.item)
    const force = { reason: 'gone' }
    expect(
      (await server.request('POST', `${tree.item}/force-delete`, force, JSON_TYPE)).status,
    ).toBe(204)
    await settle()
    expect(view.size).toEqual({ trees: 0, bytes: 0 })
    expect(view.held(root('Cluster', tree.id))).toBeNull()
  })

  test('is the reason why the hub reads changes; without one it reads the head alone', async () => {
    const view = viewOf()
    const tree = await createTree(server, newName(), [])
    await load(view, tree.id)
    const readsOf = async (): Promise<ReadonlySet<string>> => {
      await settle()
      statements.length = 0
      await server.patch(tree.item, { labels: { at: newName() } })
      await settle()
      return new Set(statements.filter((name) => name.startsWith('read_')))
    }
    expect(await readsOf()).toEqual(new Set(['read_changes']))
    view[Symbol.dispose]()
    expect(await readsOf()).toEqual(new Set(['read_head']))
  })

  test('is read anew when the log begins anew', async () => {
    using view = viewOf()
    const tree = await createTree(server, newName(), [])
    await load(view, tree.id)
    await queryDatabase(server, "update head set epoch = 'eeeeeeee'")
    await server.patch(tree.item, { labels: { a: 'b' } })
    await settle()
    expect(view.held(root('Cluster', tree.id))).toBeNull()
    const { position, state } = await load(view, tree.id)
    expect(position.epoch).toBe('eeeeeeee')
    expect(state.root.labels).toBe('{"a": "b"}')
    await server.patch(tree.item, { labels: { a: 'c' } })
    await settle()
    expect(view.held(root('Cluster', tree.id))?.state.root.labels).toBe('{"a": "c"}')
  })
})

/** Writes to trees until it is told to end. */
async function keepWriting(ids: readonly string[], seed: number, ended: () => boolean) {
  for (let count = seed; !ended(); count += 7) {
    const id = ids[count % ids.length]
    const { body } = await server.post(`/clusters/${id}/nodepools`, {
      kind: 'NodePool',
      name: `p-${seed}-${count}`,
      spec: { size: count },
    })
    await server.patch(`/clusters/${id}`, { labels: { count: String(count) } })
    const available = count % 2 === 0 ? 'True' : 'False'
    await reportAll(server, `/nodepools/${body.id}`, ['validator', 'dns'], (adapter) =>
      fullReport(adapter, 1, { available }),
    )
    if (count % 10 === 0) continue
    await server.request('DELETE', `/nodepools/${body.id}`)
    const path = `/nodepools/${body.id}/force-delete`
    await server.request('POST', path, { reason: 'x' }, JSON_TYPE)
  }
}

test('a tree at any revision is what the log says of that revision, however it came into memory', async () => {
  const ids: string[] = []
  for (let index = 0; index < 4; index += 1) {
    ids.push((await createTree(server, newName(), [])).id)
  }
  using view = viewOf(120_000)
  let ended = false
  const writers = [1, 2, 3, 4].map((seed) => keepWriting(ids, seed, () => ended))
  const sights: { readonly id: string; readonly revision: bigint; readonly content: unknown }[] = []
  let held = 0
  const end = Date.now() + 6000
  while (Date.now() < end) {
    const id = must(ids[Math.floor(sights.length / 5) % ids.length], 'an id')
    const inMemory = view.held(root('Cluster', id))
    if (inMemory) held += 1
    const sight = inMemory ?? (await load(view, id))
    sights.push({ id, revision: sight.position.revision, content: contentOf(sight) })
    await sleep(1)
  }
  ended = true
  await Promise.all(writers)
  await settle()
  const rows = await database.pool.query<LogRow>(
    'select revision, type, resource_id, adapter, version, owner_id, conditions from changes order by revision',
  )
  expect(sights.length).toBeGreaterThan(100)
  expect(held).toBeGreaterThan(10)
  expect(sights.length - held).toBeGreaterThan(10)
  for (const { id, revision, content } of sights) {
    expect(content, `${id} at ${revision}`).toEqual(replay(rows.rows, id, revision))
  }
})
