import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { fleetApi } from '../fleet-api.ts'
import { createFleet, type TestFleet } from './member-fixtures.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

/** A template whose only object names the fleet that wrote it. */
function template(author: string): object {
  const seed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seed' }, data: { author } }
  return { objects: [seed] }
}

async function warm(name: string, spec: object, author = name): Promise<TestFleet> {
  const fleet = await createFleet(server, name, { template: template(author), ...spec })
  await fleet.converge()
  return fleet
}

function mapsOf(uid: string): string {
  return `/clusters/${uid}/control-plane/api/v1/namespaces/default/configmaps`
}

async function write(fleet: TestFleet, uid: string, name = 'mark'): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
  expect((await fleet.api.call('POST', mapsOf(uid), object)).status).toBe(201)
}

/** The config maps of a plane: their names, and the author of the seed. */
async function contentOf(fleet: TestFleet, uid: string): Promise<readonly string[]> {
  const { body } = await fleet.api.call('GET', mapsOf(uid))
  return body.items
    .map(({ metadata, data }: { metadata: { name: string }; data?: { author?: string } }) =>
      data?.author === undefined ? metadata.name : `${metadata.name} of ${data.author}`,
    )
    .filter((name: string) => name !== 'kube-root-ca.crt')
}

async function claim(fleet: TestFleet, body: object = {}) {
  return fleet.post('claim', { holder: 'a', ...body })
}

async function release(
  fleet: TestFleet,
  claimed: { clusterID: string; claimID: string },
  policy?: string,
) {
  const { clusterID, claimID } = claimed
  const body = JSON.parse(JSON.stringify({ clusterID, claimID, policy }).replace('policy', 'then'))
  expect((await fleet.post('release', body)).status).toBe(200)
}

it('a surplus member that waits for its reset leaves the fleet after it', async () => {
  const fleet = await warm('surplus', { replicas: 2, minReady: 1 })
  const held = await Promise.all([claim(fleet), claim(fleet)])
  expect(held.map(({ status }) => status)).toEqual([200, 200])
  await fleet.converge()
  const third = (await claim(fleet)).body
  expect(third.clusterID).toBe('surplus-0002')
  await write(fleet, third.uid)
  await release(fleet, third)
  await fleet.patchSpec({ minReady: 0 })
  const { surplus, recycling } = await fleet.compare()
  expect({ surplus, recycling }).toEqual({ surplus: [], recycling: [third.uid] })
  const early = await fleet.members.remove(await fleet.ref(), [third.uid], 'Orphan')
  expect(early).toEqual([{ id: third.uid, result: 'claimed' }])
  await fleet.converge()
  expect(await fleet.names()).toEqual(['surplus-0000', 'surplus-0001'])
  await fleet.patchSpec({ minReady: 1 })
  await fleet.converge()
  const again = (await claim(fleet)).body
  expect(again.uid).toBe(third.uid)
  expect(await contentOf(fleet, again.uid)).toEqual(['seed of surplus'])
})

it('a member that was claimed when its fleet was deleted cannot be claimed until it is reset', async () => {
  const fleet = await warm('again', { replicas: 2 })
  const { body } = await claim(fleet, { clusterID: 'again-0000' })
  await write(fleet, body.uid)
  await fleet.api.remove('again', '?propagationPolicy=Orphan')
  const ref = await fleet.ref()
  const { surplus } = await fleet.compare()
  await fleet.members.remove(
    ref,
    surplus.map(({ id }) => id),
    'Orphan',
  )
  await fleet.api.patch('again', { metadata: { finalizers: null } })
  const second = await warm('again', { replicas: 2 })
  const comparison = await second.compare()
  expect(comparison).toMatchObject({
    counts: { members: 2, ready: 2, available: 1 },
    unclean: ['again-0000'],
  })
  expect(comparison.members[0]).toMatchObject({
    uid: body.uid,
    phase: 'Ready',
    resetRequired: true,
  })
  expect(await contentOf(second, body.uid)).toEqual(['mark', 'seed of again'])
  const rejected = await claim(second, { clusterID: 'again-0000' })
  expect(rejected.status).toBe(409)
  expect(rejected.body.message).toContain('fleets/again/recycle')
  expect((await claim(second)).body.clusterID).toBe('again-0001')
  expect((await claim(second)).status).toBe(409)
  expect((await second.post('recycle', {})).body.clusterIDs).toEqual(['again-0000'])
  await second.converge()
  const claimed = await claim(second)
  expect(claimed.body).toMatchObject({ clusterID: 'again-0000', uid: body.uid })
  expect(await contentOf(second, body.uid)).toEqual(['seed of again'])
})

it('adopts clean members of an earlier fleet only if its template was the same', async () => {
  const recreate = async (name: string, author: string): Promise<TestFleet> => {
    const old = await warm(name, { replicas: 1 }, 'old')
    await old.api.remove(name, '?propagationPolicy=Orphan')
    const { surplus } = await old.compare()
    await old.members.remove(
      await old.ref(),
      surplus.map(({ id }) => id),
      'Orphan',
    )
    await old.api.patch(name, { metadata: { finalizers: null } })
    return warm(name, { replicas: 1 }, author)
  }
  const same = await recreate('same', 'old')
  expect((await same.compare()).counts).toMatchObject({ available: 1, updated: 1 })
  expect((await claim(same)).status).toBe(200)
  const other = await recreate('other', 'new')
  expect((await other.compare()).counts).toMatchObject({ members: 1, available: 0, updated: 0 })
  expect((await claim(other)).status).toBe(409)
})

it('adopts its own clean members after the template has changed', async () => {
  const fleet = await warm('shrunk', { replicas: 2 }, 'before')
  await fleet.patchSpec({ replicas: 1 })
  await fleet.converge()
  await fleet.patchSpec({ replicas: 2, template: template('after') })
  expect((await fleet.converge()).counts).toMatchObject({ members: 2, available: 2, updated: 0 })
})

it('a cluster that was labelled by hand counts as a replica and keeps its content', async () => {
  const label = { 'kplane.dev/fleet': 'hand' }
  const cluster = { kind: 'Cluster', name: 'hand-0000', spec: {}, labels: label }
  const { body } = await server.post('/clusters', cluster)
  const fleet = await createFleet(server, 'hand', { replicas: 1 })
  await write(fleet, body.id, 'mine')
  expect(await fleet.converge()).toMatchObject({
    counts: { members: 1, ready: 1, available: 0 },
    unclean: ['hand-0000'],
  })
  expect(await contentOf(fleet, body.id)).toEqual(['mine'])
  expect((await claim(fleet)).status).toBe(409)
  expect((await fleet.post('recycle', { clusterID: 'hand-0000' })).body.clusterIDs).toEqual([
    'hand-0000',
  ])
  expect((await fleet.converge()).counts).toMatchObject({ available: 1 })
  expect(await contentOf(fleet, body.id)).toEqual([])
})

it('the claim after a release with Keep says so, and only this one', async () => {
  const fleet = await warm('keeps', { replicas: 1 })
  const first = (await claim(fleet)).body
  expect(first).not.toHaveProperty('kept')
  await write(fleet, first.uid)
  await release(fleet, first, 'Keep')
  const second = (await claim(fleet)).body
  expect(second).toMatchObject({ kept: true })
  expect(await contentOf(fleet, second.uid)).toEqual(['mark', 'seed of keeps'])
  await release(fleet, second)
  await fleet.converge()
  const third = (await claim(fleet)).body
  expect(third).not.toHaveProperty('kept')
  expect(await contentOf(fleet, third.uid)).toEqual(['seed of keeps'])
})

it('content that was kept does not return through an adoption', async () => {
  const fleet = await warm('handed', { replicas: 2 })
  const { body } = await claim(fleet, { clusterID: 'handed-0001' })
  await write(fleet, body.uid)
  await release(fleet, body, 'Keep')
  await fleet.patchSpec({ replicas: 1 })
  await fleet.converge()
  await fleet.patchSpec({ replicas: 2 })
  expect((await fleet.converge()).unclean).toEqual(['handed-0001'])
  expect((await claim(fleet, { clusterID: 'handed-0001' })).status).toBe(409)
})

it('resets members on request, but no claimed one', async () => {
  const fleet = await warm('asked', { replicas: 2 })
  const { members } = await fleet.compare()
  const free = must(members.find(({ clusterID }) => clusterID === 'asked-0001')?.uid, 'an id')
  await write(fleet, free)
  const { body } = await claim(fleet, { clusterID: 'asked-0000' })
  const recycle = (clusterID: string) => fleet.post('recycle', { clusterID })
  expect((await recycle('asked-0000')).status).toBe(409)
  expect((await recycle('asked-0009')).status).toBe(404)
  expect((await recycle('asked-0001')).status).toBe(200)
  expect((await recycle('asked-0001')).body.clusterIDs).toEqual(['asked-0001'])
  expect((await fleet.post('recycle', {})).body.clusterIDs).toEqual([])
  expect((await claim(fleet)).status).toBe(409)
  await fleet.converge()
  expect(await contentOf(fleet, free)).toEqual(['seed of asked'])
  await release(fleet, body)
})

it('a release can be repeated after its member has left the fleet', async () => {
  const fleet = await warm('left', { replicas: 1 })
  const { body } = await claim(fleet)
  await release(fleet, body)
  await fleet.patchSpec({ replicas: 0 })
  await fleet.converge()
  await release(fleet, body)
})

it('a surplus member that waits for a reset leaves unclean if the Scenario is deleted', async () => {
  const scenarios = '/apis/kplane.dev/v1/scenarios'
  const metadata = { name: 'gone' }
  const scenario = { apiVersion: 'kplane.dev/v1', kind: 'Scenario', metadata, spec: {} }
  const spec = { replicas: 2, template: { scenarioRef: metadata } }
  const api = fleetApi(server.origin)
  expect((await api.call('POST', scenarios, scenario)).status).toBe(201)
  const fleet = await createFleet(server, 'stranded', spec)
  await fleet.converge()
  const [first, second] = await Promise.all([claim(fleet), claim(fleet)])
  const held = [first.body, second.body].toSorted((a, b) => (a.clusterID < b.clusterID ? 1 : -1))
  const [last, kept] = [must(held[0], 'the last'), must(held[1], 'the first')]
  await release(fleet, last)
  await fleet.patchSpec({ replicas: 1 })
  expect(await fleet.compare()).toMatchObject({ surplus: [], awaitedSurplus: 1 })
  expect((await api.call('DELETE', `${scenarios}/gone`)).status).toBe(200)
  expect(await fleet.compare()).toMatchObject({ surplus: [{ id: last.uid }], awaitedSurplus: 0 })
  // A claim in between is never ended.
  const ids = [last.uid, kept.uid]
  expect(await fleet.members.remove(await fleet.ref(), ids, 'Orphan')).toEqual([
    { id: last.uid, result: 'removed' },
    { id: kept.uid, result: 'claimed' },
  ])
  expect(await fleet.compare()).toMatchObject({ surplus: [], counts: { members: 1, claimed: 1 } })
})
