import { afterAll, beforeAll, expect, test } from 'vitest'
import { isConflict } from '../../../src/planes/controllers/client/api-failures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import {
  CLUSTERS,
  type FleetFixture,
  FLEETS,
  NO_ADAPTERS,
  openFleets,
  WAIT,
} from './fleet-fixture.ts'

let server: TestServer
let fleets: FleetFixture

beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all', ...NO_ADAPTERS } })
  fleets = openFleets(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

const DELETE = { scaleDownPolicy: 'Delete', deletionPolicy: 'Delete' }

test('0 replicas: the fleet is ready without members', async () => {
  await fleets.create('none', { replicas: 0 })
  await fleets.untilReady('none', 0)
  expect(await fleets.status('none')).toMatchObject({ replicas: 0, members: [] })
  expect(await fleets.condition('none', 'Ready')).toBe('True MembersReady')
  await fleets.delete('none')
  await fleets.untilGone('none')
})

test('0 → 3 → 0: counts return to zero and members to an empty list', async () => {
  await fleets.create('upanddown', { replicas: 0, ...DELETE })
  await fleets.change('upanddown', { replicas: 3 })
  await fleets.untilReady('upanddown', 3)
  expect(await fleets.names('upanddown')).toEqual([
    'upanddown-0000',
    'upanddown-0001',
    'upanddown-0002',
  ])
  await fleets.change('upanddown', { replicas: 0 })
  await fleets.untilReady('upanddown', 0)
  expect(await fleets.status('upanddown')).toMatchObject({
    replicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    updatedReplicas: 0,
    members: [],
  })
  expect(await fleets.names('upanddown')).toEqual([])
})

test('surplus members are orphaned by default, and adopted again', async () => {
  await fleets.create('shrinking', { replicas: 3 })
  await fleets.untilReady('shrinking', 3)
  const before = await fleets.members('shrinking')
  await fleets.change('shrinking', { replicas: 1 })
  await fleets.untilReady('shrinking', 1)
  expect(await fleets.members('shrinking')).toEqual(before)
  await fleets.change('shrinking', { replicas: 3 })
  await fleets.untilReady('shrinking', 3)
  expect(await fleets.members('shrinking')).toEqual(before)
  await expect
    .poll(() => fleets.events('shrinking'), WAIT)
    .toEqual(
      expect.arrayContaining([
        'MembersCreated: Created 3 members',
        'MembersOrphaned: Released 2 members, whose clusters remain',
        'MembersAdopted: Adopted 2 members',
      ]),
    )
})

test('members with the annotation remove-first leave before others, and the rest by index', async () => {
  await fleets.create('picky', { replicas: 4, ...DELETE })
  await fleets.untilReady('picky', 4)
  const metadata = { annotations: { 'kplane.dev/remove-first': 'true' } }
  const first = { namespace: '', name: 'picky-0001' }
  await fleets.client.patch(CLUSTERS, first, { type: 'merge', body: { metadata } })
  await fleets.change('picky', { replicas: 2 })
  await fleets.untilReady('picky', 2)
  expect(await fleets.names('picky')).toEqual(['picky-0000', 'picky-0002'])
})

test('duplicate or invalid names are rejected with their path', async () => {
  const create = (names: readonly string[]) =>
    fleets.create('misnamed', { replicas: names.length, names })
  await expect(create(['a-1', 'a-1'])).rejects.toMatchObject({ code: 422 })
  await expect(create(['a-1', 'Not_Valid'])).rejects.toMatchObject({
    code: 422,
    details: { causes: [expect.objectContaining({ field: 'spec.names[1]' })] },
  })
  expect(await fleets.exists('misnamed')).toBe(false)
})

test('an overlong prefix is rejected', async () => {
  const spec = { replicas: 1, namePrefix: `${'x'.repeat(60)}-` }
  await expect(fleets.create('longwinded', spec)).rejects.toMatchObject({ code: 422 })
})

test('two fleets with one prefix: the second has name conflicts until the first gives way', async () => {
  await fleets.create('owner', { replicas: 2, namePrefix: 'shared-', ...DELETE })
  await fleets.untilReady('owner', 2)
  const before = await fleets.members('owner')
  await fleets.create('rival', { replicas: 3, namePrefix: 'shared-', ...DELETE })
  await expect
    .poll(() => fleets.status('rival'), WAIT)
    .toMatchObject({
      readyReplicas: 1,
      failedReplicas: 2,
      members: [
        { clusterID: 'shared-0000', phase: 'Failed' },
        { clusterID: 'shared-0001', phase: 'Failed' },
        { clusterID: 'shared-0002', phase: 'Ready' },
      ],
    })
  expect(await fleets.condition('rival', 'Degraded')).toBe('True NameConflict')
  expect(await fleets.members('owner')).toEqual(before)
  await expect
    .poll(() => fleets.events('rival'), WAIT)
    .toContain('NameConflict: 2 names belong to other clusters: shared-0000, shared-0001')
  await fleets.delete('owner')
  await fleets.untilGone('owner')
  await fleets.untilReady('rival', 3)
})

test('a manually created cluster keeps its name, and the other members proceed', async () => {
  await server.post('/clusters', { kind: 'Cluster', name: 'taken-0001', spec: {} })
  await fleets.create('taken', { replicas: 3 })
  await expect
    .poll(() => fleets.status('taken'), WAIT)
    .toMatchObject({ readyReplicas: 2, failedReplicas: 1 })
  expect(await fleets.names('taken')).toEqual(['taken-0000', 'taken-0002'])
  expect(await fleets.condition('taken', 'Ready')).toBe('False MembersNotReady')
})

test('a manually deleted member is recreated with a new id', async () => {
  await fleets.create('healing', { replicas: 3 })
  await fleets.untilReady('healing', 3)
  const before = await fleets.members('healing')
  await fleets.client.delete(CLUSTERS, { namespace: '', name: 'healing-0001' })
  const uids = async () => (await fleets.members('healing')).map(({ uid }) => uid)
  await expect
    .poll(uids, WAIT)
    .toEqual([before[0]?.uid, expect.not.stringMatching(before[1]?.uid ?? ''), before[2]?.uid])
  await fleets.untilReady('healing', 3)
})

test('a member that loses its label becomes foreign, and its name a conflict', async () => {
  await fleets.create('leaving', { replicas: 2 })
  await fleets.untilReady('leaving', 2)
  const metadata = { labels: { 'kplane.dev/fleet': null } }
  const name = { namespace: '', name: 'leaving-0000' }
  await fleets.client.patch(CLUSTERS, name, { type: 'merge', body: { metadata } })
  await expect.poll(() => fleets.condition('leaving', 'Degraded'), WAIT).toBe('True NameConflict')
  expect(await fleets.status('leaving')).toMatchObject({ replicas: 1, failedReplicas: 1 })
})

test('names reordered: no member changes, and the status follows the order', async () => {
  await fleets.create('ordered', {
    replicas: 3,
    names: ['member-c', 'member-a', 'member-b'],
    ...DELETE,
  })
  await fleets.untilReady('ordered', 3)
  const before = await fleets.members('ordered')
  const order = async () =>
    (await fleets.status('ordered')).members?.map(({ clusterID }) => clusterID)
  expect(await order()).toEqual(['member-c', 'member-a', 'member-b'])
  await fleets.change('ordered', { names: ['member-a', 'member-b', 'member-c'] })
  await expect.poll(order, WAIT).toEqual(['member-a', 'member-b', 'member-c'])
  expect(await fleets.members('ordered')).toEqual(before)
})

test('prefix ⇄ names: members with the wanted names stay, the others are replaced', async () => {
  await fleets.create('switching', { replicas: 2, ...DELETE })
  await fleets.untilReady('switching', 2)
  const [first] = await fleets.members('switching')
  const names = ['switching-0000', 'switching-x']
  await fleets.change('switching', { namePrefix: null, names })
  await expect.poll(() => fleets.names('switching'), WAIT).toEqual(names)
  await fleets.untilReady('switching', 2)
  expect((await fleets.members('switching'))[0]).toEqual(first)
  await fleets.change('switching', { namePrefix: 'switching-', names: null })
  await fleets.untilReady('switching', 2)
  // The fleet has as many members as it wants, so names that it did not choose stay.
  expect(await fleets.names('switching')).toHaveLength(2)
  await fleets.change('switching', { replicas: 1 })
  await expect.poll(() => fleets.names('switching'), WAIT).toEqual(['switching-0000'])
})

test('stale resourceVersion: the update is a conflict and changes no member', async () => {
  const stale = await fleets.create('stale', { replicas: 1 })
  await fleets.untilReady('stale', 1)
  await fleets.change('stale', { replicas: 2 })
  const update = fleets.client.update(FLEETS, { ...stale, spec: { replicas: 9 } })
  await expect(update).rejects.toMatchObject({ code: 409 })
  await fleets.untilReady('stale', 2)
})

test('concurrent scaling: the last size wins, with no extra or duplicate member', async () => {
  await fleets.create('contended', { replicas: 1, ...DELETE })
  const sizes = Array.from({ length: 16 }, (_, index) => (index * 7) % 20)
  const scale = async (replicas: number): Promise<unknown> => {
    try {
      return await fleets.change('contended', { replicas })
    } catch (error) {
      if (!isConflict(error)) throw error
      return scale(replicas)
    }
  }
  await Promise.all(sizes.map((replicas) => scale(replicas)))
  const { spec } = await fleets.get('contended')
  const { replicas } = Object(spec)
  await fleets.untilReady('contended', replicas)
  expect(new Set(await fleets.names('contended')).size).toBe(replicas)
  expect(await fleets.names('contended')).toHaveLength(replicas)
})

test('propagationPolicy Orphan keeps the members of a fleet that deletes them by default', async () => {
  await fleets.create('released', { replicas: 2, ...DELETE })
  await fleets.untilReady('released', 2)
  await fleets.delete('released', { propagationPolicy: 'Orphan' })
  await fleets.untilGone('released')
  expect(await fleets.names('released')).toHaveLength(2)
})
