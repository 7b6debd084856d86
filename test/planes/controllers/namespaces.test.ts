import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ApiObject } from '../../../src/planes/model/api-object.ts'
import { isObjectNotFound } from '../../../src/planes/controllers/client/api-failures.ts'
import { startNamespaceController } from '../../../src/planes/controllers/namespaces/namespace-controller.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { MAPS, NAMESPACES, openPlane, type PlaneFixture } from './plane-fixture.ts'

const SECRETS = { group: '', version: 'v1', plural: 'secrets' }
const ACCOUNTS = { group: '', version: 'v1', plural: 'serviceaccounts' }

let server: TestServer
let plane: PlaneFixture

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  plane = await openPlane(server)
  await plane.createNamespace('doomed')
})

function start() {
  return startNamespaceController({
    fleet: server.planes.client(),
    timers: systemTimers,
    random: Math.random,
    onError: (error) => console.error(error),
  })
}

async function readNamespace(): Promise<ApiObject | null> {
  return plane.client.get(NAMESPACES, { namespace: '', name: 'doomed' }).catch((error: unknown) => {
    if (isObjectNotFound(error, 'doomed')) return null
    throw error
  })
}

function deleteNamespace(): Promise<void> {
  return plane.client.delete(NAMESPACES, { namespace: '', name: 'doomed' })
}

async function count(resource: typeof MAPS): Promise<number> {
  let total = 0
  for await (const page of plane.client.pages(resource, { namespace: 'doomed' })) {
    total += page.items.length
  }
  return total
}

test('R29: deletes a namespace with its content', async () => {
  await using controller = await start()
  for (const name of ['a', 'b', 'c']) await plane.createMap(name, { namespace: 'doomed' })
  await plane.createMap('kept')
  await deleteNamespace()
  await expect.poll(readNamespace).toBeNull()
  expect(await count(MAPS)).toBe(0)
  expect(await count(ACCOUNTS)).toBe(0)
  expect(await plane.readMap('kept')).not.toBeNull()
  void controller
})

test('R29: finds at its start namespaces whose deletion began before', async () => {
  await plane.createMap('a', { namespace: 'doomed' })
  await deleteNamespace()
  expect(await readNamespace()).toMatchObject({ status: { phase: 'Terminating' } })
  await using controller = await start()
  await expect.poll(readNamespace).toBeNull()
  void controller
})

test('R29: reports remaining content in conditions, and deletes credentials last', async () => {
  await using controller = await start()
  await plane.createMap('slow', { namespace: 'doomed', finalizers: ['example.com/wait'] })
  await plane.createMap('fast', { namespace: 'doomed' })
  await plane.client.create(SECRETS, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'doomed', name: 'credentials' },
  })
  await deleteNamespace()
  const conditions = async () => (await readNamespace())?.['status']
  await expect.poll(conditions).toMatchObject({
    phase: 'Terminating',
    conditions: [
      {
        type: 'NamespaceDeletionDiscoveryFailure',
        status: 'False',
        reason: 'ResourcesDiscovered',
        message: 'All resources successfully discovered',
      },
      {
        type: 'NamespaceDeletionGroupVersionParsingFailure',
        status: 'False',
        reason: 'ParsedGroupVersions',
        message: 'All legacy kube types successfully parsed',
      },
      {
        type: 'NamespaceDeletionContentFailure',
        status: 'False',
        reason: 'ContentDeleted',
        message: 'All content successfully deleted, may be waiting on finalization',
      },
      {
        type: 'NamespaceContentRemaining',
        status: 'True',
        reason: 'SomeResourcesRemain',
        message:
          'Some resources are remaining: configmaps. has 1 resource instances, secrets. has 1 resource instances, serviceaccounts. has 1 resource instances',
      },
      {
        type: 'NamespaceFinalizersRemaining',
        status: 'True',
        reason: 'SomeFinalizersRemain',
        message:
          'Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances',
      },
    ],
  })
  const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const
  await plane.client.patch(MAPS, { namespace: 'doomed', name: 'slow' }, patch)
  await expect.poll(readNamespace).toBeNull()
  void controller
})

test('R29: rejects creations during the deletion with a cause', async () => {
  await plane.createMap('slow', { namespace: 'doomed', finalizers: ['example.com/wait'] })
  await deleteNamespace()
  const error = await plane.createMap('late', { namespace: 'doomed' }).catch((reason) => reason)
  expect(error).toMatchObject({
    code: 403,
    details: { causes: [expect.objectContaining({ reason: 'NamespaceTerminating' })] },
  })
})

test('R29: keeps a namespace until its other finalizers are removed', async () => {
  await using controller = await start()
  const namespace = (await readNamespace()) ?? { metadata: {} }
  const metadata = { ...namespace.metadata, finalizers: ['example.com/wait'] }
  await plane.client.update(NAMESPACES, {
    ...namespace,
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata,
  })
  await deleteNamespace()
  const finalizers = async () => (await readNamespace())?.['spec']
  await expect.poll(finalizers).not.toMatchObject({ finalizers: ['kubernetes'] })
  const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const
  await plane.client.patch(NAMESPACES, { namespace: '', name: 'doomed' }, patch)
  expect(await readNamespace()).toBeNull()
  void controller
})

test('R28: deletes the objects of a collection through the normal path, over several pages', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `m${index}`)
  for (const name of names) await plane.createMap(name, { finalizers: ['example.com/wait'] })
  await plane.createMap('free')
  await plane.client.deleteCollection(MAPS, { namespace: 'default' })
  expect(await plane.mapNames()).toEqual(names)
  for (const name of names) {
    expect((await plane.readMap(name))?.metadata.deletionTimestamp).toBeDefined()
    await plane.release(name)
  }
  expect(await plane.mapNames()).toEqual([])
})

test('R26: removes an object in the write that removes its last finalizer', async () => {
  const finalizers = ['example.com/a', 'example.com/b']
  await plane.createMap('held', { finalizers })
  await plane.deleteMap('held')
  const patch = (next: readonly string[]) =>
    plane.client.patch(
      MAPS,
      { namespace: 'default', name: 'held' },
      { type: 'merge', body: { metadata: { finalizers: next } } },
    )
  const added = await patch([...finalizers, 'example.com/c']).catch((reason) => reason)
  expect(added).toMatchObject({ code: 422 })
  await patch(['example.com/a'])
  expect((await plane.readMap('held'))?.metadata.finalizers).toEqual(['example.com/a'])
  await patch([])
  expect(await plane.readMap('held')).toBeNull()
})
