import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiObject } from '../../../src/planes/model/api-object.ts'
import {
  isConflict,
  isObjectNotFound,
} from '../../../src/planes/controllers/client/api-failures.ts'
import type { FleetClient } from '../../../src/planes/controllers/client/fleet-client.ts'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import type {
  PlaneClient,
  WatchEvent,
} from '../../../src/planes/controllers/client/plane-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { FLEET_CLIENTS } from './fleet-clients.ts'

const MAPS = { group: '', version: 'v1', plural: 'configmaps' }
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces' }

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

function map(
  namespace: string,
  name: string,
  more: Partial<ApiObject['metadata']> = {},
): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, ...more } }
}

async function collect<T>(iterable: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const page of iterable) all.push(...page)
  return all
}

describe.each(FLEET_CLIENTS)('the client $name', ({ open, name }) => {
  let fleet: FleetClient
  let client: PlaneClient
  const namespace = name.includes('HTTP') ? 'over-http' : 'in-process'

  beforeAll(async () => {
    const cluster = await server.post('/clusters', { kind: 'Cluster', name: namespace, spec: {} })
    fleet = open(server, ['root', cluster.body.id])
    client = fleet.plane(cluster.body.id)
    const created: ApiObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    }
    await client.create(NAMESPACES, created)
  })

  test('creates, reads, updates, patches and deletes objects', async () => {
    const created = await client.create(MAPS, { ...map(namespace, 'a'), data: { a: '1' } })
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(await client.get(MAPS, { namespace, name: 'a' })).toEqual(created)
    const updated = await client.update(MAPS, { ...created, data: { a: '2' } })
    expect(updated).toMatchObject({ data: { a: '2' } })
    const patch = { type: 'merge', body: { data: { b: '3' } } } as const
    const patched = await client.patch(MAPS, { namespace, name: 'a' }, patch)
    expect(patched).toMatchObject({ data: { a: '2', b: '3' } })
    await client.delete(MAPS, { namespace, name: 'a' })
    const error = await client.get(MAPS, { namespace, name: 'a' }).catch((reason) => reason)
    expect(isObjectNotFound(error, 'a')).toBe(true)
  })

  test('fails with a conflict if a version or precondition is stale', async () => {
    const created = await client.create(MAPS, map(namespace, 'stale'))
    await client.update(MAPS, { ...created, data: { a: '1' } })
    const update = await client.update(MAPS, { ...created, data: {} }).catch((reason) => reason)
    expect(isConflict(update)).toBe(true)
    const { resourceVersion = '' } = created.metadata
    const preconditions = { resourceVersion }
    const removal = await client
      .delete(MAPS, { namespace, name: 'stale' }, { preconditions })
      .catch((reason) => reason)
    expect(isConflict(removal)).toBe(true)
  })

  test('distinguishes absent objects from resources that the plane does not serve', async () => {
    const nothing = { group: 'example.com', version: 'v1', plural: 'nothings' }
    const error = await client.get(nothing, { namespace, name: 'a' }).catch((reason) => reason)
    expect(error).toMatchObject({ code: 404 })
    expect(isObjectNotFound(error, 'a')).toBe(false)
  })

  test('reads pages and selects objects', async () => {
    for (const each of ['p1', 'p2', 'p3']) {
      await client.create(MAPS, map(namespace, each, { labels: { pages: 'yes' } }))
    }
    const sizes: number[] = []
    const names: unknown[] = []
    const options = { namespace, labelSelector: 'pages=yes', pageSize: 2 }
    for await (const page of client.pages(MAPS, options)) {
      sizes.push(page.items.length)
      names.push(...page.items.map(({ metadata }) => metadata.name))
    }
    expect({ sizes, names }).toEqual({ sizes: [2, 1], names: ['p1', 'p2', 'p3'] })
    await client.deleteCollection(MAPS, { namespace, labelSelector: 'pages=yes' })
    for await (const page of client.pages(MAPS, options)) expect(page.items).toEqual([])
  })

  test('watches the changes after a version', async () => {
    const first = await client.create(MAPS, map(namespace, 'watched'))
    const stopped = new AbortController()
    const resourceVersion = first.metadata.resourceVersion ?? ''
    const events: WatchEvent[] = []
    await client.update(MAPS, { ...first, data: { a: '1' } })
    await client.delete(MAPS, { namespace, name: 'watched' })
    const watch = client.watch(MAPS, { namespace, resourceVersion, signal: stopped.signal })
    for await (const event of watch) {
      events.push(event)
      if (event.type === 'DELETED') stopped.abort()
    }
    expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED'])
    expect(events[0]).toMatchObject({ object: { data: { a: '1' }, kind: 'ConfigMap' } })
  })

  test('lists the served resources', async () => {
    const resources = await client.resources()
    const found = resources.find(({ plural }) => plural === 'configmaps')
    expect(found).toMatchObject({ ...MAPS, kind: 'ConfigMap', namespaced: true })
    expect(found?.verbs).toContain('deletecollection')
  })

  test('scans objects of all planes by owner, and follows their changes', async () => {
    const owner = await client.create(MAPS, map(namespace, 'owner'))
    const { uid = '' } = owner.metadata
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }
    const seen: string[] = []
    const subscription = await fleet.followAll(['configmaps'], {
      onChanges: (changes) => {
        for (const { type, name: changed, text, object } of changes) {
          expect(text).toContain(changed)
          // The feed may lag behind the changes of this test and of earlier ones.
          if (changed !== 'owned') continue
          seen.push(`${type} ${object().metadata.name}`)
        }
      },
      onLost: () => expect.fail('lost changes'),
    })
    await client.create(MAPS, map(namespace, 'owned', { ownerReferences: [reference] }))
    const owned = await collect(fleet.scan({ plane: client.plane, ownerUid: uid }))
    expect(owned.map((each) => each.name)).toEqual(['owned'])
    const all = await collect(fleet.scan({ isOwned: true }))
    expect(all).toContainEqual(expect.objectContaining({ name: 'owned', plane: client.plane }))
    await client.delete(MAPS, { namespace, name: 'owned' })
    await expect.poll(() => seen).toEqual(['ADDED owned', 'DELETED owned'])
    await subscription[Symbol.asyncDispose]()
  })
})

test('followers over HTTP stop waiting for their first lists when the term ends', async () => {
  const closed = `http://127.0.0.1:${await freePort()}`
  let requests = 0
  const failures: unknown[] = []
  const client = createHttpFleetClient({
    // The server ends after the two documents of its resources.
    get server() {
      return requests < 2 ? server.origin : closed
    },
    token: () => {
      requests += 1
      return Promise.resolve(null)
    },
    userAgent: 'test',
    planes: ['root'],
    clusters: { group: 'hyperfleet.io', version: 'v1', plural: 'clusters' },
    onError: (error) => failures.push(error),
  })
  const term = new AbortController()
  const fleet = client.fencedBy({ namespace: '', name: 'none', uid: '', number: 0 }, term.signal)
  const subscriber = { onChanges: () => undefined, onLost: () => undefined }
  let followers = 0
  const starts = [fleet.followAll(['configmaps'], subscriber)]
  await expect.poll(() => failures.length).toBeGreaterThan(0)
  starts.push(fleet.followClusters('kplane.dev/fleet', subscriber))
  for (const start of starts) void start.then(() => (followers += 1))
  await expect.poll(() => failures.length).toBeGreaterThan(3)
  expect(followers).toBe(0)
  term.abort()
  for (const follower of await Promise.all(starts)) await follower[Symbol.asyncDispose]()
})
