import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type GarbageCollector,
  startGarbageCollector,
} from '../../../src/planes/controllers/garbage-collection/garbage-collector.ts'
import type { FleetClient } from '../../../src/planes/controllers/client/fleet-client.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { NAMESPACES, openPlane, ownerOf, type PlaneFixture } from './plane-fixture.ts'

const EVENTS = { group: '', version: 'v1', plural: 'events' }

let server: TestServer
let plane: PlaneFixture
let collector: GarbageCollector | null = null

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  plane = await openPlane(server)
})
afterEach(async () => {
  await collector?.[Symbol.asyncDispose]()
  collector = null
})

async function start(fleet: FleetClient = server.planes.client()): Promise<void> {
  const onError = (error: unknown): void => console.error(error)
  collector = await startGarbageCollector({
    fleet,
    timers: systemTimers,
    random: Math.random,
    onError,
  })
}

test('R27: deletes the dependents of an owner in the background', async () => {
  await start()
  const owner = await plane.createMap('owner')
  const child = await plane.createMap('child', { owners: [ownerOf(owner)] })
  await plane.createMap('grandchild', { owners: [ownerOf(child)] })
  await plane.createMap('other')
  await plane.deleteMap('owner', { propagationPolicy: 'Background' })
  await expect.poll(() => plane.mapNames()).toEqual(['other'])
})

test('R30: a full pass at the start finds objects whose owners were deleted before', async () => {
  const owner = await plane.createMap('owner')
  await plane.createMap('child', { owners: [ownerOf(owner)] })
  await plane.deleteMap('owner')
  expect(await plane.mapNames()).toEqual(['child'])
  await start()
  await expect.poll(() => plane.mapNames()).toEqual([])
})

test('R30: collects dependents of the old uid when an owner is created again', async () => {
  const first = await plane.createMap('owner')
  await plane.createMap('of-first', { owners: [ownerOf(first)] })
  await plane.deleteMap('owner')
  const second = await plane.createMap('owner')
  await plane.createMap('of-second', { owners: [ownerOf(second)] })
  await start()
  await expect.poll(() => plane.mapNames()).toEqual(['of-second', 'owner'])
})

test('R30: removes only the reference of an absent owner if another owner exists', async () => {
  await start()
  const gone = await plane.createMap('gone')
  const solid = await plane.createMap('solid')
  await plane.createMap('child', { owners: [ownerOf(gone), ownerOf(solid)] })
  await plane.deleteMap('gone')
  const owners = async () => (await plane.readMap('child'))?.metadata.ownerReferences
  await expect.poll(owners).toEqual([ownerOf(solid)])
})

test('R30: never honours an owner in another namespace, and reports it in an event', async () => {
  await start()
  await plane.createNamespace('elsewhere')
  const owner = await plane.createMap('owner', { namespace: 'elsewhere' })
  await plane.createMap('child', { owners: [ownerOf(owner, { blockOwnerDeletion: true })] })
  await expect.poll(() => plane.readMap('child')).toBeNull()
  expect(await plane.readMap('owner', 'elsewhere')).not.toBeNull()
  const resources = await plane.client.resources()
  if (!resources.some(({ plural }) => plural === 'events')) return
  const events: unknown[] = []
  for await (const page of plane.client.pages(EVENTS, { namespace: 'default' })) {
    events.push(...page.items)
  }
  expect(events).toEqual([
    expect.objectContaining({
      reason: 'OwnerRefInvalidNamespace',
      message: expect.stringContaining('does not exist in namespace "default"'),
    }),
  ])
})

test('R30: a dependent in another namespace does not delay the deletion of its owner', async () => {
  await plane.createNamespace('elsewhere')
  const owner = await plane.createMap('owner')
  const reference = ownerOf(owner, { blockOwnerDeletion: true })
  const finalizers = ['example.com/wait']
  await plane.createMap('child', { namespace: 'elsewhere', owners: [reference], finalizers })
  await plane.deleteMap('owner', { propagationPolicy: 'Foreground' })
  await start()
  await expect.poll(() => plane.readMap('owner')).toBeNull()
})

test('R30: never deletes an object whose owner has an unknown kind', async () => {
  const unknown = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: 'a-b-c' }
  await plane.createMap('child', { owners: [unknown] })
  const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'd-e-f' }
  await plane.createMap('absent', { owners: [absent] })
  await plane.createMap('both', { owners: [absent, unknown] })
  await start()
  await expect.poll(() => plane.mapNames()).toEqual(['both', 'child'])
})

test('R30: never deletes an object without a namespace whose owner has one', async () => {
  const owner = await plane.createMap('owner')
  const absent = { ...ownerOf(owner), uid: 'a-b-c' }
  await plane.client.create(NAMESPACES, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'owned', ownerReferences: [absent] },
  })
  await plane.createMap('child', { owners: [absent] })
  await start()
  await expect.poll(() => plane.readMap('child')).toBeNull()
  const namespace = await plane.client.get(NAMESPACES, { namespace: '', name: 'owned' })
  expect(namespace.metadata.deletionTimestamp).toBeUndefined()
})

test('R27: an owner that is deleted in the foreground waits for its dependents', async () => {
  await start()
  const owner = await plane.createMap('owner')
  const blocking = ownerOf(owner, { blockOwnerDeletion: true })
  await plane.createMap('child', { owners: [blocking] })
  await plane.createMap('slow', { owners: [blocking], finalizers: ['example.com/wait'] })
  await plane.deleteMap('owner', { propagationPolicy: 'Foreground' })
  await expect.poll(() => plane.mapNames()).toEqual(['owner', 'slow'])
  const { metadata } = (await plane.readMap('owner')) ?? {}
  expect(metadata).toMatchObject({ finalizers: ['foregroundDeletion'] })
  await plane.release('slow')
  await expect.poll(() => plane.mapNames()).toEqual([])
})

test('R27: a chain of dependents is deleted in the foreground from its end', async () => {
  await start()
  const owner = await plane.createMap('owner')
  const child = await plane.createMap('child', {
    owners: [ownerOf(owner, { blockOwnerDeletion: true })],
  })
  const owners = [ownerOf(child, { blockOwnerDeletion: true })]
  await plane.createMap('grandchild', { owners, finalizers: ['example.com/wait'] })
  await plane.deleteMap('owner', { propagationPolicy: 'Foreground' })
  const terminating = async () => (await plane.readMap('grandchild'))?.metadata.deletionTimestamp
  await expect.poll(terminating).toBeDefined()
  expect(await plane.mapNames()).toEqual(['child', 'grandchild', 'owner'])
  await plane.release('grandchild')
  await expect.poll(() => plane.mapNames()).toEqual([])
})

test('R27: objects that own each other are deleted in the foreground', async () => {
  await start()
  const first = await plane.createMap('first')
  const second = await plane.createMap('second', {
    owners: [ownerOf(first, { blockOwnerDeletion: true })],
  })
  const ownerReferences = [ownerOf(second, { blockOwnerDeletion: true })]
  const patch = { type: 'merge', body: { metadata: { ownerReferences } } } as const
  const maps = { group: '', version: 'v1', plural: 'configmaps' }
  await plane.client.patch(maps, { namespace: 'default', name: 'first' }, patch)
  await plane.deleteMap('first', { propagationPolicy: 'Foreground' })
  await expect.poll(() => plane.mapNames()).toEqual([])
})

test('R27: the dependents of an orphaning owner stay without their reference', async () => {
  const owner = await plane.createMap('owner')
  const other = await plane.createMap('other')
  await plane.createMap('child', { owners: [ownerOf(owner)] })
  await plane.createMap('shared', { owners: [ownerOf(owner), ownerOf(other)] })
  await plane.deleteMap('owner', { propagationPolicy: 'Orphan' })
  expect(await plane.mapNames()).toEqual(['child', 'other', 'owner', 'shared'])
  await start()
  await expect.poll(() => plane.mapNames()).toEqual(['child', 'other', 'shared'])
  expect((await plane.readMap('child'))?.metadata.ownerReferences).toBeUndefined()
  const shared = await plane.readMap('shared')
  expect(shared?.metadata.ownerReferences).toEqual([ownerOf(other)])
})

test('R30: an error of a read does not count as the absence of an owner', async () => {
  const owner = await plane.createMap('owner')
  await plane.createMap('child', { owners: [ownerOf(owner)] })
  const absent = { ...ownerOf(owner), uid: 'a-b-c' }
  await plane.createMap('orphan', { owners: [absent] })
  const fleet = server.planes.client()
  let failures = 0
  await start({
    ...fleet,
    plane: (id) => {
      const client = fleet.plane(id)
      return {
        ...client,
        get: async (...request) => {
          if (request[1].name === 'owner' && (failures += 1) <= 5) throw new Error('broken')
          return client.get(...request)
        },
      }
    },
  })
  await expect.poll(() => plane.mapNames()).toEqual(['child', 'owner'])
  expect(failures).toBeGreaterThan(5)
})

test('R30: decides about owners of an unknown kind when a definition adds the kind', async () => {
  await using all = await startTestServer({ env: { ROLE: 'all' } })
  const served = await openPlane(all)
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: 'a-b-c' }
  await served.createMap('child', { owners: [widget] })
  const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'd-e-f' }
  await served.createMap('absent', { owners: [absent] })
  await expect.poll(() => served.mapNames()).toEqual(['child'])
  const schema = { type: 'object' }
  await served.client.create(
    { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        ],
      },
    },
  )
  await expect.poll(() => served.mapNames()).toEqual([])
})
