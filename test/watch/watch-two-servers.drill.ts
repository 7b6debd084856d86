import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { newName } from '../support/fixtures.ts'
import { proofSize } from '../support/proof-size.ts'
import type { TestServer } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'
import { openWatch, revisionOf, stateOf, type WatchedEvent } from './watch-client.ts'

const CLUSTERS = 12
const PATCHES = 30

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair[Symbol.asyncDispose]())

async function createCluster(server: TestServer): Promise<string> {
  const body = { kind: 'Cluster', name: newName(), spec: { n: 0 } }
  return (await server.post('/clusters', body)).body.id
}

/** The generations of each cluster, in the order of the events. */
function generationsOf(events: readonly WatchedEvent[]): ReadonlyMap<string, number[]> {
  const generations = new Map<string, number[]>()
  for (const { object } of events) {
    generations.set(object.id, [...(generations.get(object.id) ?? []), object.generation])
  }
  return generations
}

test('writes through one server are sent by the other in order, and none is missed when one stops', async () => {
  const [survivor, victim] = pair.servers
  const from = (await survivor.get('/clusters')).body.resource_version
  const path = '/clusters?watch=true&resourceVersion='
  using whole = await openWatch(survivor, path + from)
  using broken = await openWatch(victim, path + from)
  const ids = await Promise.all(
    Array.from({ length: CLUSTERS }, (_, index) => createCluster(pair.at(index))),
  )
  const patchAll = (server: (index: number) => TestServer, round: number) =>
    Promise.all(
      ids.map((id, index) =>
        server(index + round).patch(`/clusters/${id}`, { spec: { n: round } }),
      ),
    )
  for (let round = 1; round <= PATCHES / 2; round += 1) await patchAll(pair.at, round)
  await broken.until(({ object }) => object.generation > PATCHES / 4)
  const rest = (async () => {
    for (let round = PATCHES / 2 + 1; round <= PATCHES; round += 1) {
      await patchAll(() => survivor, round)
    }
  })()
  await victim[Symbol.asyncDispose]()
  await broken.ended
  const last = must(broken.events.at(-1), 'an event').resource_version
  using resumed = await openWatch(survivor, path + last)
  await rest
  for (const watch of [whole, resumed]) {
    for (const id of ids) {
      await watch.until(({ object }) => object.id === id && object.generation === PATCHES + 1)
    }
  }
  const expected = new Map(
    ids.map((id) => [id, Array.from({ length: PATCHES + 1 }, (_, n) => n + 1)]),
  )
  const both = [...broken.changes(), ...resumed.changes()]
  expect(generationsOf(whole.changes())).toEqual(expected)
  expect(generationsOf(both)).toEqual(expected)
  expect(both).toEqual(whole.changes())
  const revisions = both.map(({ resource_version: token }) => revisionOf(token))
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
  const { body } = await survivor.get('/clusters?pageSize=100')
  expect(new Set(stateOf(both).values())).toEqual(new Set(body.items))
})

test('a watch that begins during writes misses and repeats nothing', async () => {
  const [server] = pair.servers
  const ids = await Promise.all(Array.from({ length: 120 }, () => createCluster(server)))
  const writing = new AbortController()
  const writers = Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      for (let round = 1; !writing.signal.aborted; round += 1) {
        for (let index = writer; index < ids.length; index += 4) {
          await server.patch(`/clusters/${ids[index]}`, { spec: { n: round } })
        }
      }
    }),
  )
  for (let begun = 0; begun < proofSize(6); begun += 1) {
    using watch = await openWatch(server, '/clusters?watch=true')
    await watch.until(({ type }) => type === 'BOOKMARK')
    const bookmark = watch.events.findIndex(({ type }) => type === 'BOOKMARK')
    await watch.until((event) => watch.events.indexOf(event) > bookmark + 150)
    for (const generations of generationsOf(watch.changes()).values()) {
      const [first = 0] = generations
      expect(generations).toEqual(generations.map((_, index) => first + index))
    }
    expect(watch.events.slice(bookmark).filter(({ type }) => type === 'ADDED')).toEqual([])
  }
  writing.abort()
  await writers
})
