import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { versionExpired } from '../../../src/planes/errors/failures.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { startInformer } from '../../../src/planes/controllers/runtime/informer.ts'
import type { StoreChange } from '../../../src/planes/controllers/runtime/informer-store.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { FLEET_CLIENTS } from './fleet-clients.ts'
import { MAPS, openPlane, type PlaneFixture } from './plane-fixture.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe.each(FLEET_CLIENTS)('an informer $name', ({ open }) => {
  let plane: PlaneFixture
  let client: PlaneClient
  let changes: string[]

  beforeEach(async () => {
    plane = await openPlane(server)
    client = open(server, []).plane(plane.client.plane)
    changes = []
  })

  function start(wrapped: PlaneClient = client) {
    return startInformer({
      client: wrapped,
      resource: MAPS,
      timers: systemTimers,
      random: Math.random,
      backoff: { baseMs: 1, maxMs: 20 },
      onChange: (change: StoreChange) => {
        const stale = change.type === 'deleted' && change.isStale ? ' (missed)' : ''
        changes.push(`${change.type} ${change.object.metadata.name}${stale}`)
      },
      onError: (error) => console.error(error),
    })
  }

  test('R17: lists existing objects, then follows changes', async () => {
    await plane.createMap('a')
    await using informer = start()
    await informer.synced
    expect(changes).toEqual(['added a'])
    await plane.createMap('b')
    await plane.client.patch(
      MAPS,
      { namespace: 'default', name: 'a' },
      { type: 'merge', body: { data: { key: 'value' } } },
    )
    await plane.deleteMap('b')
    await expect.poll(() => changes).toEqual(['added a', 'added b', 'updated a', 'deleted b'])
    expect(informer.get('default', 'a')).toMatchObject({ data: { key: 'value' } })
    expect(informer.objects).toHaveLength(1)
  })

  test('R18: lists again after 410 and reports the deletions that it missed', async () => {
    await plane.createMap('a')
    await plane.createMap('b')
    let breaks = 0
    await using informer = start({
      ...client,
      watch: async function* watch(resource, options) {
        if (breaks === 0) {
          breaks += 1
          // Changes that the watch does not see.
          await plane.deleteMap('a')
          await plane.createMap('c')
          throw versionExpired()
        }
        yield* client.watch(resource, options)
      },
    })
    const expected = ['added a', 'added b', 'added c', 'deleted a (missed)']
    await expect.poll(() => changes).toEqual(expected)
    await plane.deleteMap('c')
    await expect.poll(() => changes).toEqual([...expected, 'deleted c'])
    expect(informer.objects.map(({ metadata }) => metadata.name)).toEqual(['b'])
  })

  test('R16: continues after broken watches without missing or repeating a change', async () => {
    const versions: string[] = []
    await using informer = start({
      ...client,
      watch: async function* watch(resource, options) {
        versions.push(options.resourceVersion)
        for await (const event of client.watch(resource, options)) {
          yield event
          // Every watch ends after one event.
          if (event.type !== 'BOOKMARK') return
        }
      },
    })
    await informer.synced
    const names = Array.from({ length: 6 }, (_, index) => `m${index}`)
    for (const name of names) await plane.createMap(name)
    await expect.poll(() => changes).toEqual(names.map((name) => `added ${name}`))
    expect(versions.length).toBeGreaterThanOrEqual(6)
    expect(new Set(versions).size).toBe(versions.length)
  })
})
