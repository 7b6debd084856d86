import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Feed, startFeed } from '../../src/store/feed/feed.ts'
import {
  createSnapshotCache,
  type CachedSnapshot,
  type SnapshotCache,
} from '../../src/snapshots/cache/snapshot-cache.ts'
import type { Database } from '../../src/store/database/database.ts'
import { must } from '../../src/lib/assert.ts'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { fullReport, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import type { RootName } from '../../src/snapshots/storage/read-subtree.ts'
import { createTree } from './snapshot-requests.ts'
import { catchUp } from '../feed/catch-up.ts'
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

function cacheOf(maxBytes = 268_435_456): SnapshotCache {
  return createSnapshotCache({ database, feed, maxBytes })
}

/** A root of a server without tenancy. */
function root(kind: string, idOrName: string): RootName {
  return { tenant: null, kind, idOrName }
}

const load = async (cache: SnapshotCache, idOrName: string) =>
  must(await cache.load(root('Cluster', idOrName)), 'the subtree')

/** The versions of all resources and the conditions of all reports, by id. */
function contentOf({ state }: CachedSnapshot): ReadonlyMap<string, string> {
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

/** The content of a subtree at a revision, computed from the log. */
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

describe('a cached subtree', () => {
  test('is found by id and by name only', async () => {
    using cache = cacheOf()
    const name = newName()
    const tree = await createTree(server, name, ['pool-a'])
    expect(cache.get(root('Cluster', tree.id))).toBeNull()
    await load(cache, name)
    expect(cache.get(root('Cluster', tree.id))?.state.root.name).toBe(name)
    expect(cache.get(root('Cluster', name))?.state.root.id).toBe(tree.id)
    expect(cache.get(root('NodePool', tree.poolIds[0] ?? ''))).toBeNull()
    expect(cache.get(root('Sandbox', tree.id))).toBeNull()
    expect(await cache.load(root('NodePool', tree.poolIds[0] ?? ''))).toBeNull()
    expect(await cache.load(root('Cluster', 'nowhere'))).toBeNull()
    expect(cache.size.trees).toBe(1)
  })

  test('reuses lists that have not changed', async () => {
    using cache = cacheOf()
    const tree = await createTree(server, newName(), ['pool-a'])
    const { state: before } = await load(cache, tree.id)
    await server.patch(tree.item, { labels: { a: 'b' } })
    await catchUp(feed)
    const { state: after } = must(cache.get(root('Cluster', tree.id)), 'the tree')
    expect(after.root.labels).toBe('{"a": "b"}')
    expect(after.resources.get('Cluster')).not.toBe(before.resources.get('Cluster'))
    expect(after.resources.get('NodePool')).toBe(before.resources.get('NodePool'))
    expect(after.reports).toBe(before.reports)
    expect(cache.get(root('Cluster', tree.id))?.state).toBe(after)
  })

  test('is evicted when it is the least recently used', async () => {
    const trees: Awaited<ReturnType<typeof createTree>>[] = []
    for (let index = 0; index < 3; index += 1) {
      trees.push(await createTree(server, newName(), ['pool-a']))
    }
    const [first, second, third] = trees.map(({ id }) => id)
    using measure = cacheOf()
    await load(measure, first ?? '')
    const { bytes } = measure.size
    using cache = cacheOf(Math.floor(2.5 * bytes))
    await load(cache, first ?? '')
    await load(cache, second ?? '')
    expect(cache.get(root('Cluster', first ?? ''))).not.toBeNull()
    await load(cache, third ?? '')
    expect(cache.size.trees).toBe(2)
    expect(cache.get(root('Cluster', second ?? ''))).toBeNull()
    expect(cache.get(root('Cluster', first ?? ''))).not.toBeNull()
    await server.patch(trees[0]?.item ?? '', { spec: { note: 'x'.repeat(bytes) } })
    await catchUp(feed)
    expect(cache.size.bytes).toBeLessThanOrEqual(2.5 * bytes)
  })

  test('frees its bytes when the root is removed', async () => {
    using cache = cacheOf()
    const tree = await createTree(server, newName(), ['pool-a', 'pool-b'])
    await load(cache, tree.id)
    const { bytes } = cache.size
    const { body: pool } = await server.post(`${tree.item}/nodepools`, {
      kind: 'NodePool',
      name: 'pool-c',
      spec: {},
    })
    await reportAll(server, `/nodepools/${pool.id}`, ['dns'], (adapter) => fullReport(adapter, 1))
    await catchUp(feed)
    expect(cache.size.bytes).toBeGreaterThan(bytes)
    await server.request('DELETE', tree.item)
    const force = { reason: 'gone' }
    expect(
      (await server.request('POST', `${tree.item}/force-delete`, force, JSON_TYPE)).status,
    ).toBe(204)
    await catchUp(feed)
    expect(cache.size).toEqual({ trees: 0, bytes: 0 })
    expect(cache.get(root('Cluster', tree.id))).toBeNull()
  })

  test('makes the broadcaster read changes, which it does not do without one', async () => {
    const cache = cacheOf()
    const tree = await createTree(server, newName(), [])
    await load(cache, tree.id)
    const readsChanges = async (): Promise<boolean> => {
      await catchUp(feed)
      // A notification of the same change can make the broadcaster read once more.
      await expect.poll(() => feed.broadcaster.lagSeconds).toBe(0)
      statements.length = 0
      await server.patch(tree.item, { labels: { at: newName() } })
      await catchUp(feed)
      return statements.includes('read_changes')
    }
    expect(await readsChanges()).toBe(true)
    cache[Symbol.dispose]()
    expect(await readsChanges()).toBe(false)
  })

  test('is loaded again in a new epoch', async () => {
    using cache = cacheOf()
    const tree = await createTree(server, newName(), [])
    await load(cache, tree.id)
    await queryDatabase(server, "update head set epoch = 'eeeeeeee'")
    await server.patch(tree.item, { labels: { a: 'b' } })
    await catchUp(feed)
    expect(cache.get(root('Cluster', tree.id))).toBeNull()
    const { resourceVersion, state } = await load(cache, tree.id)
    expect(resourceVersion.epoch).toBe('eeeeeeee')
    expect(state.root.labels).toBe('{"a": "b"}')
    await server.patch(tree.item, { labels: { a: 'c' } })
    await catchUp(feed)
    expect(cache.get(root('Cluster', tree.id))?.state.root.labels).toBe('{"a": "c"}')
  })
})

/** Writes to subtrees until `ended` returns true. */
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

test('matches the log at its revision, whether it was loaded or kept current by changes', async () => {
  const ids: string[] = []
  for (let index = 0; index < 4; index += 1) {
    ids.push((await createTree(server, newName(), [])).id)
  }
  using cache = cacheOf(120_000)
  let ended = false
  const writers = [1, 2, 3, 4].map((seed) => keepWriting(ids, seed, () => ended))
  const reads: { readonly id: string; readonly revision: bigint; readonly content: unknown }[] = []
  let hits = 0
  const isEnough = (): boolean => reads.length > 200 && hits > 20 && reads.length - hits > 20
  while (!isEnough()) {
    const id = must(ids[Math.floor(reads.length / 5) % ids.length], 'an id')
    const cached = cache.get(root('Cluster', id))
    if (cached) hits += 1
    const snapshot = cached ?? (await load(cache, id))
    reads.push({ id, revision: snapshot.resourceVersion.revision, content: contentOf(snapshot) })
    await sleep(1)
  }
  ended = true
  await Promise.all(writers)
  await catchUp(feed)
  const rows = await database.pool.query<LogRow>(
    'select revision, type, resource_id, adapter, version, owner_id, conditions from changes order by revision',
  )
  for (const { id, revision, content } of reads) {
    expect(content, `${id} at ${revision}`).toEqual(replay(rows.rows, id, revision))
  }
})
