import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../storage/two-servers.ts'
import { type PlaneClient, planeClient, type PlaneWatch, type WatchEvent } from './plane-client.ts'
import { MERGE, namesOf, revisionOf } from './suite.ts'
import { collectionPath, installSites, SITES } from './subjects.ts'

/*
 * Failures that other API servers on a relational database have had: lost or reordered events,
 * watches without bookmarks, ignored selectors, a query per watcher, and stale replicas.
 */

const MAPS = '/api/v1/namespaces/default/configmaps'

let pair: Pair
/** The same plane on both servers. */
let planes: readonly [PlaneClient, PlaneClient]

beforeAll(async () => {
  pair = await startPair({ ROLE: 'all' })
  planes = await newPlanes()
})
afterAll(() => pair[Symbol.asyncDispose]())

async function newPlanes(): Promise<readonly [PlaneClient, PlaneClient]> {
  const [first, second] = pair.servers
  const name = `plane-${randomUUID().slice(0, 8)}`
  const { body } = await first.post('/clusters', { kind: 'Cluster', name, spec: {} })
  const prefix = `/clusters/${body.id}/control-plane`
  return [planeClient(first.origin, prefix), planeClient(second.origin, prefix)]
}

const write = (plane: PlaneClient, name: string, data: Record<string, string> = {}) =>
  plane.call('POST', MAPS, { body: { metadata: { name, labels: { app: name } }, data } })

const patch = (plane: PlaneClient, name: string, data: Record<string, string>) =>
  plane.call('PATCH', `${MAPS}/${name}`, { type: MERGE, body: { data } })

async function newest(plane: PlaneClient): Promise<string> {
  return (await plane.call('GET', MAPS)).body.metadata.resourceVersion
}

async function take(watch: PlaneWatch, count: number): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = []
  while (events.length < count) {
    const event = await watch.next()
    if (event === null) throw new Error(`the watch ended after ${JSON.stringify(events.at(-1))}`)
    events.push(event)
  }
  return events
}

describe('known failures of other servers', () => {
  test('R16: concurrent writes through two servers reach all watches once and in order', async () => {
    const [one, two] = await newPlanes()
    await write(one, 'first')
    const resourceVersion = await newest(two)
    await using here = await one.watch(MAPS, { resourceVersion })
    await using there = await two.watch(MAPS, { resourceVersion })
    const writers = Array.from({ length: 8 }, async (_, index) => {
      const plane = index % 2 === 0 ? one : two
      for (let round = 0; round < 4; round += 1) {
        const name = `o-${index}-${round}`
        expect((await write(plane, name)).status).toBe(201)
        expect((await patch(plane, name, { round: `${round}` })).status).toBe(200)
        if (round % 2 === 0) await plane.call('DELETE', `${MAPS}/${name}`)
      }
    })
    await Promise.all(writers)
    const count = 8 * (4 + 4 + 2)
    const [seenHere, seenThere] = await Promise.all([take(here, count), take(there, count)])
    const revisions = seenHere.map(({ object }) => revisionOf(object))
    const start = BigInt(resourceVersion)
    expect(revisions).toEqual(revisions.map((_, index) => start + BigInt(index + 1)))
    expect(seenThere).toEqual(seenHere)
    expect(seenHere.filter(({ type }) => type === 'DELETED')).toHaveLength(8 * 2)
  })

  test('R16: an informer resumes on the other server after its server is gone', async () => {
    const [one, two] = planes
    const resourceVersion = await newest(one)
    const names = ['r-a', 'r-b', 'r-c', 'r-d']
    let last = resourceVersion
    {
      await using broken = await one.watch(MAPS, { resourceVersion })
      await write(two, 'r-a')
      await write(one, 'r-b')
      const seen = await take(broken, 2)
      expect(seen.map(({ object }) => object.metadata.name)).toEqual(['r-a', 'r-b'])
      last = seen.at(-1)?.object.metadata.resourceVersion
    }
    await write(two, 'r-c')
    await using resumed = await two.watch(MAPS, { resourceVersion: last })
    await write(one, 'r-d')
    const rest = await take(resumed, 2)
    expect(rest.map(({ object }) => object.metadata.name)).toEqual(names.slice(2))
  })

  test('R10: reads through another server are never stale', async () => {
    const [one, two] = planes
    for (let round = 0; round < 10; round += 1) {
      const name = `fresh-${round}`
      const { body: created } = await write(one, name)
      expect((await two.call('GET', `${MAPS}/${name}`)).body).toEqual(created)
      const list = await two.call('GET', MAPS)
      expect(namesOf(list)).toContain(name)
      expect(revisionOf(list.body)).toBeGreaterThanOrEqual(revisionOf(created))
      const { resourceVersion } = created.metadata
      const required = await two.call('GET', MAPS, {
        query: { resourceVersion, resourceVersionMatch: 'NotOlderThan' },
      })
      expect(namesOf(required)).toContain(name)
      await patch(two, name, { round: `${round}` })
      const stale = await one.call('PUT', `${MAPS}/${name}`, { body: created })
      expect(stale.status).toBe(409)
    }
  })

  test('R12: watches through both servers honour selectors', async () => {
    const [one, two] = planes
    const resourceVersion = await newest(one)
    const query = { resourceVersion, labelSelector: 'app in (sel-a,sel-b),app!=sel-b' }
    await using here = await one.watch(MAPS, query)
    await using there = await two.watch(MAPS, query)
    for (const name of ['sel-b', 'sel-c', 'sel-a']) await write(one, name)
    for (const watch of [here, there]) {
      expect((await watch.next())?.object.metadata.name).toBe('sel-a')
    }
  })

  test('R19: a quiet watch receives a bookmark with the newest revision of its plane', async () => {
    const [one, two] = planes
    await using quiet = await two.watch(MAPS, {
      resourceVersion: await newest(one),
      allowWatchBookmarks: 'true',
      labelSelector: 'app=nothing',
      timeoutSeconds: '9',
    })
    const { body } = await write(one, 'noise')
    const [bookmark] = await take(quiet, 1)
    expect(bookmark?.type).toBe('BOOKMARK')
    expect(revisionOf(bookmark?.object)).toBeGreaterThanOrEqual(revisionOf(body))
  })

  test('R16: the number of statements does not depend on the number of watches', async () => {
    const [one] = await newPlanes()
    await write(one, 'counted')
    const resourceVersion = await newest(one)
    const watches: PlaneWatch[] = []
    const statementsOfWrites = async (): Promise<number> => {
      const before = await statements()
      for (let round = 0; round < 20; round += 1) {
        await patch(one, 'counted', { round: randomUUID() })
      }
      return (await statements()) - before
    }
    const open = async (count: number): Promise<void> => {
      while (watches.length < count) watches.push(await one.watch(MAPS, { resourceVersion }))
    }
    try {
      await open(1)
      const withOne = await statementsOfWrites()
      await open(60)
      const withMany = await statementsOfWrites()
      const events = await Promise.all(watches.map((watch) => take(watch, 40)))
      expect(events).toHaveLength(60)
      expect(withOne).toBeGreaterThanOrEqual(20)
      // A query per watch and write would add 1200. Background tasks also send statements.
      expect(withMany).toBeLessThan(withOne + 600)
    } finally {
      await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()))
    }
  })

  test('R36: a definition that one server creates is served by the other', async () => {
    const [one, two] = planes
    await installSites(one)
    const sites = collectionPath(SITES, 'default')
    await expect.poll(async () => (await two.call('GET', sites)).status).toBe(200)
    const body = { metadata: { name: 'a' }, ...SITES.content('x') }
    const created = await two.call('POST', sites, { body })
    expect(created).toMatchObject({ status: 201, body: { spec: { value: 'x', size: 1 } } })
    const read = await one.call('GET', `${sites}/a`)
    expect(read.body).toEqual(created.body)
  })

  test('R1: planes do not see the objects of other planes', async () => {
    const [one] = planes
    const [other] = await newPlanes()
    await write(one, 'private')
    expect((await other.call('GET', `${MAPS}/private`)).status).toBe(404)
    expect(namesOf(await other.call('GET', MAPS))).toEqual([])
    await using watch = await other.watch(MAPS)
    await write(one, 'private-too')
    await write(other, 'own')
    expect((await watch.next())?.object.metadata.name).toBe('own')
  })
})

/** The number of statements that the first server has sent. */
async function statements(): Promise<number> {
  const response = await fetch(`${pair.servers[0].metricsOrigin}/metrics`)
  const text = await response.text()
  const counts = [...text.matchAll(/_db_query_duration_seconds_count\S* (\d+)/g)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
