import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { newName } from '../support/fixtures.ts'
import { finalizing, fullReport, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import { proofSize } from '../support/proof-size.ts'
import {
  createTree,
  expectedParts,
  latestSnapshotOf,
  namesOf,
  snapshotOf,
  statementCounts,
  withoutReportTimes,
} from './snapshot-requests.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

const ENV = {
  HYPERFLEET_CLUSTER_ADAPTERS: '["dns","validator"]',
  HYPERFLEET_NODEPOOL_ADAPTERS: '["validator","hypershift"]',
}
/** The lock of the sequencer: while a test holds it, changes stay in the outbox. */
const HOLD = 'select pg_advisory_lock(7305188022)'
const RELEASE = 'select pg_advisory_unlock(7305188022)'

let pair: Pair

beforeAll(async () => {
  pair = await startPair(ENV)
})
afterAll(() => pair[Symbol.asyncDispose]())

describe('two servers on one database', () => {
  test('return writes through the other server', async () => {
    const [here, there] = pair.servers
    const tree = await createTree(here, newName(), ['pool-a'])
    await snapshotOf(there, tree.id)
    for (let round = 0; round < 10; round += 1) {
      await here.patch(tree.item, { labels: { round: String(round) } })
      const { body } = await latestSnapshotOf(there, tree.id)
      expect(body.resources[0].items[0].labels).toEqual({ round: String(round) })
    }
  })

  test('return the same tag and content, except for times', async () => {
    const [here, there] = pair.servers
    const tree = await createTree(here, newName(), ['pool-a', 'pool-b'])
    await latestSnapshotOf(here, tree.id)
    await reportAll(here, tree.item, ['dns', 'validator'], (adapter) => fullReport(adapter, 1))
    await here.patch(`/nodepools/${tree.poolIds[0]}`, { spec: { nodes: 9 } })
    const cached = await latestSnapshotOf(here, tree.id)
    const read = await latestSnapshotOf(there, tree.id)
    expect(read.headers.get('etag')).toBe(cached.headers.get('etag'))
    expect(withoutReportTimes(read.body.resources)).toEqual(
      withoutReportTimes(cached.body.resources),
    )
  })

  test('reach the resource version of a response from the other server', async () => {
    const [here, there] = pair.servers
    const tree = await createTree(here, newName(), [])
    await snapshotOf(there, tree.id)
    for (let round = 0; round < 20; round += 1) {
      await here.patch(tree.item, { labels: { round: String(round) } })
      const { body } = await latestSnapshotOf(here, tree.id)
      const answer = await snapshotOf(there, tree.id, `?minResourceVersion=${body.resourceVersion}`)
      expect(answer.body.resources[0].items[0].labels).toEqual({ round: String(round) })
    }
  })
})

describe('a subtree that is not cached while changes are in the outbox', () => {
  test('is returned complete or as an error, also with objects of its plane', async () => {
    const [here, there] = pair.servers
    const tree = await createTree(here, newName(), ['pool-a'])
    const plane = `/clusters/${tree.id}/control-plane`
    const written = await fetch(`${here.origin}${plane}/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      body: JSON.stringify({ metadata: { name: 'settings' } }),
      headers: JSON_TYPE,
    })
    expect(written.status).toBe(201)
    const client = new pg.Client({ connectionString: here.databaseUrl })
    await client.connect()
    await client.query(HOLD)
    await here.request('DELETE', `/nodepools/${tree.poolIds[0]}`)
    const configMaps = `${there.origin}${plane}/snapshot?resource=configmaps`
    const read = () => Promise.all([snapshotOf(there, tree.id), fetch(configMaps)])
    const held = await read()
    expect(held.map(({ status }) => status)).toEqual([504, 504])
    const reading = read()
    await client.query(RELEASE)
    await client.end()
    const [complete, withObjects] = await reading
    expect(withoutReportTimes(complete.body.resources)).toEqual(
      withoutReportTimes(await expectedParts(here, tree.id)),
    )
    expect(await withObjects.json()).toMatchObject({
      resources: [{ resource: 'configmaps', synced: true, itemCount: 1 }],
    })
  })

  test('does not include resources that were removed before the read', async () => {
    const [here, there] = pair.servers
    for (let round = 0; round < 10; round += 1) {
      const tree = await createTree(here, newName(), ['pool-a', 'pool-b'])
      const client = new pg.Client({ connectionString: here.databaseUrl })
      await client.connect()
      await client.query(HOLD)
      const [pool = ''] = tree.poolIds
      await here.request('DELETE', `/nodepools/${pool}`)
      await reportAll(here, `/nodepools/${pool}`, ['validator', 'hypershift'], finalizing(2))
      const reading = snapshotOf(there, tree.id, '?warm=true')
      await sleep(20)
      await client.query(RELEASE)
      await client.end()
      expect(namesOf(await reading, 'nodepools')).toEqual(['pool-b'])
    }
  })
})

/** Makes a random write, which concurrent writes may cause to fail. */
async function writeAtRandom(trees: readonly string[], random: () => number): Promise<void> {
  const server = pair.at(Math.floor(random() * 2))
  const id = must(trees[Math.floor(random() * trees.length)], 'a tree')
  const pools = (await server.get(`/clusters/${id}/nodepools`)).body.items ?? []
  const pool = pools[Math.floor(random() * pools.length)]
  const kind = random()
  if (kind < 0.2 || !pool) {
    const name = `p-${Math.floor(random() * 1e9)}`
    await server.post(`/clusters/${id}/nodepools`, { kind: 'NodePool', name, spec: {} })
  } else if (kind < 0.45) {
    await server.patch(`/clusters/${id}`, { labels: { at: String(random()) } })
  } else if (kind < 0.65) {
    await server.patch(`/nodepools/${pool.id}`, { spec: { nodes: Math.floor(random() * 9) } })
  } else if (kind < 0.85) {
    const available = random() < 0.5 ? 'True' : 'False'
    await reportAll(server, `/nodepools/${pool.id}`, ['validator'], (adapter) =>
      fullReport(adapter, pool.generation, { available }),
    )
  } else {
    await server.request('DELETE', `/nodepools/${pool.id}`)
    await server.request('POST', `/nodepools/${pool.id}/force-delete`, { reason: 'x' }, JSON_TYPE)
  }
}

/** The revision of a snapshot. */
function versionOf({ body }: Awaited<ReturnType<typeof snapshotOf>>): bigint {
  return BigInt(body.resourceVersion.split('.')[1])
}

/** A random number generator with a seed; numbers are from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

test.each([268_435_456, 60_000])(
  'snapshots during random writes through two servers never go back, and finally match the database (%i bytes)',
  async (bytes) => {
    await using small = await startPair(ENV, kinds, { snapshotCacheBytes: bytes })
    const before = pair
    pair = small
    try {
      const trees: string[] = []
      for (let index = 0; index < 6; index += 1) {
        trees.push((await createTree(small.at(index), newName(), ['pool-a'])).id)
      }
      const state = { writing: true }
      const writers = Array.from({ length: 6 }, async (_, writer) => {
        const random = randomFrom(writer + 1)
        for (let count = 0; count < proofSize(40); count += 1) await writeAtRandom(trees, random)
      })
      const readers = small.servers.map(async (server, index) => {
        const random = randomFrom(100 + index)
        const versions = new Map<string, bigint>()
        while (state.writing) {
          const id = must(trees[Math.floor(random() * trees.length)], 'a tree')
          const answer = await snapshotOf(server, id, '?warm=true')
          expect(answer.status).toBe(200)
          expect(versionOf(answer)).toBeGreaterThanOrEqual(versions.get(id) ?? 0n)
          versions.set(id, versionOf(answer))
        }
      })
      await Promise.all(writers)
      state.writing = false
      await Promise.all(readers)
      for (const id of trees) {
        const expected = withoutReportTimes(await expectedParts(small.at(0), id))
        const answers = await Promise.all(
          small.servers.map((server) => latestSnapshotOf(server, id)),
        )
        const [first, second] = answers
        expect(withoutReportTimes(first?.body.resources)).toEqual(expected)
        expect(withoutReportTimes(second?.body.resources)).toEqual(expected)
        expect(first?.headers.get('etag')).toBe(second?.headers.get('etag'))
      }
    } finally {
      pair = before
    }
  },
)

test('subtrees that do not fit into the cache are read for each request', async () => {
  await using small = await startPair(ENV, kinds, { snapshotCacheBytes: 0 })
  const [server] = small.servers
  const tree = await createTree(server, newName(), ['pool-a'])
  const before = (await statementCounts(server)).get('read_subtree') ?? 0
  for (let round = 0; round < 3; round += 1) {
    const { body } = await latestSnapshotOf(server, tree.id)
    expect(withoutReportTimes(body.resources)).toEqual(
      withoutReportTimes(await expectedParts(server, tree.id)),
    )
  }
  expect((await statementCounts(server)).get('read_subtree')).toBe(before + 3)
})
