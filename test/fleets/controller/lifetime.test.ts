import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { CLUSTERS, type FleetFixture, NO_ADAPTERS, openFleets, WAIT } from './fleet-fixture.ts'
import { inProcess, runController } from './run-controller.ts'

const HOUR_MS = 3_600_000
const DELETE = { scaleDownPolicy: 'Delete', deletionPolicy: 'Delete' }

describe('without required adapters', () => {
  let server: TestServer
  let fleets: FleetFixture

  beforeAll(async () => {
    server = await startTestServer({ env: NO_ADAPTERS })
    fleets = openFleets(server.origin)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const run = (aheadMs = 0) => runController(inProcess(server), { aheadMs })

  test('ttl 0: the fleet is deleted without creating members', async () => {
    await fleets.create('brief', { replicas: 3, ttlSeconds: 0, ...DELETE })
    await using controller = await run()
    await fleets.untilGone('brief')
    expect(await fleets.names('brief')).toEqual([])
    expect(await fleets.events('brief')).toEqual([
      expect.stringMatching(/^TTLExpired: The time to live of 0 s from Created has ended/),
    ])
    void controller
  })

  test('ttl 0 from Ready: the fleet is deleted when its members are ready first', async () => {
    await fleets.create('ripe', { replicas: 2, ttlSeconds: 0, ttlFrom: 'Ready', ...DELETE })
    await using controller = await run()
    await fleets.untilGone('ripe')
    expect(await fleets.events('ripe')).toEqual(
      expect.arrayContaining([
        'MembersCreated: Created 2 members',
        expect.stringMatching(/^TTLExpired/),
      ]),
    )
    void controller
  })

  test('ttl shortened below the age: the fleet expires without another change', async () => {
    await fleets.create('aging', { replicas: 1, ttlSeconds: 7200, ...DELETE })
    await using controller = await run(HOUR_MS)
    await fleets.untilReady('aging', 1)
    await fleets.change('aging', { ttlSeconds: 1800 })
    await fleets.untilGone('aging')
    void controller
  })

  test('ttl removed: the fleet stays after the time has ended', async () => {
    await fleets.create('kept', { replicas: 1, ttlSeconds: 1800, ...DELETE })
    await fleets.change('kept', { ttlSeconds: null })
    await using controller = await run(HOUR_MS)
    await fleets.untilReady('kept', 1)
    expect(await fleets.exists('kept')).toBe(true)
    void controller
  })

  test('ttl expires by itself while the fleet does not change', async () => {
    await using controller = await run()
    await fleets.create('timed', { replicas: 1, ttlSeconds: 2, ...DELETE })
    await fleets.untilGone('timed')
    expect(await fleets.names('timed')).toEqual([])
    void controller
  })

  test('deletion with Orphan keeps the clusters', async () => {
    await using controller = await run()
    await fleets.create('orphaned', { replicas: 2 })
    await fleets.untilReady('orphaned', 2)
    await fleets.delete('orphaned')
    await fleets.untilGone('orphaned')
    expect(await fleets.names('orphaned')).toHaveLength(2)
    void controller
  })

  test('propagationPolicy Background deletes the members of a fleet that orphans them by default', async () => {
    await using controller = await run()
    await fleets.create('deleted', { replicas: 2 })
    await fleets.untilReady('deleted', 2)
    await fleets.delete('deleted', { propagationPolicy: 'Background' })
    await fleets.untilGone('deleted')
    expect(await fleets.names('deleted')).toEqual([])
    void controller
  })

  test('delete while creating: no member remains', async () => {
    await using controller = await run()
    await fleets.create('aborted', { replicas: 1200, ...DELETE })
    await expect.poll(() => fleets.names('aborted'), WAIT).not.toEqual([])
    await fleets.delete('aborted')
    await fleets.untilGone('aborted')
    expect(await fleets.names('aborted')).toEqual([])
    void controller
  })

  test('paused: the status continues, but no member is created, removed or expired', async () => {
    await using controller = await run()
    await fleets.create('paused', { replicas: 1, ...DELETE })
    await fleets.untilReady('paused', 1)
    await fleets.change('paused', { paused: true, replicas: 3, ttlSeconds: 0 })
    await expect
      .poll(() => fleets.status('paused'), WAIT)
      .toMatchObject({ observedGeneration: 2, replicas: 1 })
    expect(await fleets.condition('paused', 'Progressing')).toBe('False Paused')
    await fleets.change('paused', { paused: false, ttlSeconds: null })
    await fleets.untilReady('paused', 3)
    void controller
  })
})

test('delete with adapters that never finalize: the fleet reports them until its clusters are gone', async () => {
  const env = { ROLE: 'all', ...NO_ADAPTERS, HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' }
  await using server = await startTestServer({ env })
  const fleets = openFleets(server.origin)
  await fleets.create('stuck', { replicas: 3, requiredAdapters: ['dns'], ...DELETE })
  await fleets.untilReady('stuck', 3)
  const clusters = await fleets.members('stuck')
  await fleets.change('stuck', { replicas: 2 })
  await expect
    .poll(() => fleets.condition('stuck', 'ScalingDown'), WAIT)
    .toBe('True WaitingForAdapters')
  await fleets.untilReady('stuck', 2)
  await fleets.delete('stuck')
  await expect
    .poll(() => fleets.condition('stuck', 'Deleting'), WAIT)
    .toBe('True WaitingForAdapters')
  const { conditions } = await fleets.status('stuck')
  expect(conditions?.find(({ type }) => type === 'Deleting')?.message).toBe(
    '3 deleted clusters wait for dns',
  )
  for (const { uid } of clusters) {
    const { status } = await server.post(`/clusters/${uid}/force-delete`, { reason: 'test' })
    expect(status).toBeLessThan(300)
  }
  await fleets.untilGone('stuck')
  const remaining: unknown[] = []
  for await (const { items } of fleets.client.pages(CLUSTERS)) remaining.push(...items)
  expect(remaining).toEqual([])
})
