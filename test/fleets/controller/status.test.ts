import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullReport } from '../../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import {
  CLUSTERS,
  type FleetFixture,
  FLEETS,
  NO_ADAPTERS,
  openFleets,
  SCENARIOS,
  WAIT,
} from './fleet-fixture.ts'

/** The pause of the controller between two runs for a fleet. */
const PAUSE_MS = 250
const DELETE = { scaleDownPolicy: 'Delete', deletionPolicy: 'Delete' }

let server: TestServer
let fleets: FleetFixture

beforeAll(async () => {
  const env = { ...NO_ADAPTERS, ROLE: 'all', HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' }
  server = await startTestServer({ env })
  fleets = openFleets(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

interface CountedChanges extends Disposable {
  readonly changes: () => number
  /** The maximum number of changes of a controller that pauses between its runs, on a machine of any speed. */
  readonly most: () => number
}

/** Counts the changes of a fleet until it is disposed. */
async function countChanges(name: string): Promise<CountedChanges> {
  const start = performance.now()
  const stopped = new AbortController()
  const { metadata } = await fleets.get(name)
  const { resourceVersion = '' } = metadata
  let changes = 0
  const follow = async (): Promise<void> => {
    const watch = fleets.client.watch(FLEETS, { resourceVersion, signal: stopped.signal })
    for await (const event of watch) {
      if (event.type !== 'BOOKMARK' && event.object.metadata.name === name) changes += 1
    }
  }
  const ended = follow()
  ended.catch(() => undefined)
  return {
    changes: () => changes,
    most: () => 10 + (performance.now() - start) / PAUSE_MS,
    [Symbol.dispose]: () => stopped.abort(),
  }
}

async function report(id: string, generation: number, available: string): Promise<void> {
  const body = fullReport('dns', generation, { available })
  const { status } = await server.request('PUT', `/clusters/${id}/statuses`, body)
  expect(status).toBeLessThan(300)
}

async function onlyMember(name: string): Promise<string> {
  await expect.poll(() => fleets.names(name), WAIT).toHaveLength(1)
  return (await fleets.members(name))[0]?.uid ?? ''
}

test('200 members become ready: the status is written a handful of times', async () => {
  await fleets.create('crowd', { replicas: 0 })
  await fleets.untilReady('crowd', 0)
  using counted = await countChanges('crowd')
  await fleets.change('crowd', { replicas: 200 })
  await fleets.untilReady('crowd', 200)
  const { members } = await fleets.status('crowd')
  expect(members).toHaveLength(200)
  expect(members?.[199]).toMatchObject({ clusterID: 'crowd-0199', phase: 'Ready' })
  expect(counted.changes()).toBeLessThan(counted.most())
})

test('report for an old generation: the member stays unready until a current report', async () => {
  await fleets.create('outdated', { replicas: 1, readiness: 'Conditions' })
  const id = await onlyMember('outdated')
  await expect
    .poll(() => fleets.status('outdated'), WAIT)
    .toMatchObject({ replicas: 1, readyReplicas: 0 })
  await report(id, 1, 'True')
  await fleets.untilReady('outdated', 1)
  await server.patch(`/clusters/${id}`, { spec: { changed: true } })
  const readyReplicas = async () => (await fleets.status('outdated')).readyReplicas
  await expect.poll(readyReplicas, WAIT).toBe(0)
  await report(id, 1, 'True')
  // Another change of the member proves that the controller has seen the report.
  await server.patch(`/clusters/${id}`, { labels: { 'kplane.dev/fleet': 'outdated', seen: 'a' } })
  await expect.poll(readyReplicas, WAIT).toBe(0)
  await report(id, 2, 'True')
  await fleets.untilReady('outdated', 1)
})

test('Ready flapping 100 times a second: the status follows, with few writes', async () => {
  await fleets.create('flapping', { replicas: 1, readiness: 'Conditions' })
  const id = await onlyMember('flapping')
  await report(id, 1, 'True')
  await fleets.untilReady('flapping', 1)
  using counted = await countChanges('flapping')
  for (let index = 0; index < 60; index += 1) {
    await report(id, 1, index % 2 === 0 ? 'False' : 'True')
  }
  await report(id, 1, 'False')
  await expect
    .poll(() => fleets.status('flapping'), WAIT)
    .toMatchObject({ replicas: 1, readyReplicas: 0 })
  expect(counted.changes()).toBeLessThan(counted.most())
  await report(id, 1, 'True')
  await fleets.untilReady('flapping', 1)
})

const labelled = (version: string) => ({ labels: { version } })

test('template change during scale-down: exactly the remaining members have the new content', async () => {
  await using own = await startTestServer({ env: { ...NO_ADAPTERS, ROLE: 'all' } })
  const ownFleets = openFleets(own.origin)
  const updateStrategy = { type: 'RollingUpdate' }
  const spec = { replicas: 40, template: labelled('1'), updateStrategy, ...DELETE }
  await ownFleets.create('shifting', spec)
  await ownFleets.untilReady('shifting', 40)
  await ownFleets.change('shifting', { replicas: 20 })
  await ownFleets.change('shifting', { template: labelled('2') })
  await ownFleets.change('shifting', { replicas: 10 })
  const versions = async () =>
    (await ownFleets.members('shifting')).map(({ labels }) => labels['version'])
  await expect.poll(versions, WAIT).toEqual(Array.from({ length: 10 }, () => '2'))
  await expect
    .poll(() => ownFleets.status('shifting'), WAIT)
    .toMatchObject({ replicas: 10, readyReplicas: 10, updatedReplicas: 10 })
})

test('a template change with OnReplenish keeps existing members', async () => {
  await fleets.create('patient', { replicas: 2, template: labelled('1') })
  await fleets.untilReady('patient', 2)
  const before = await fleets.members('patient')
  await fleets.change('patient', { replicas: 3, template: labelled('2') })
  await fleets.untilReady('patient', 3)
  const after = await fleets.members('patient')
  expect(after.slice(0, 2)).toEqual(before)
  expect(after[2]?.labels).toMatchObject({ version: '2' })
  expect(await fleets.status('patient')).toMatchObject({ updatedReplicas: 1 })
})

test('a Scenario that does not exist degrades the fleet until it is created', async () => {
  const template = { scenarioRef: { name: 'cart' } }
  await fleets.create('waiting', { replicas: 2, template })
  await expect
    .poll(() => fleets.condition('waiting', 'Degraded'), WAIT)
    .toBe('True ScenarioNotFound')
  await fleets.client.create(SCENARIOS, {
    apiVersion: 'kplane.dev/v1',
    kind: 'Scenario',
    metadata: { name: 'cart' },
    spec: { labels: { scenario: 'cart' } },
  })
  await fleets.untilReady('waiting', 2)
  expect(await fleets.condition('waiting', 'Degraded')).toBe('False AsExpected')
  expect((await fleets.members('waiting'))[0]?.labels).toMatchObject({ scenario: 'cart' })
})

test('a member that is invalid after its placeholders are replaced never blocks the others', async () => {
  const names = ['fine-a', 'too-long-for-a-pool', 'fine-b']
  const template = { nodePools: [{ name: `\${name}`, spec: {} }] }
  await fleets.create('mixed', { replicas: 3, names, template })
  await expect
    .poll(() => fleets.status('mixed'), WAIT)
    .toMatchObject({
      readyReplicas: 2,
      failedReplicas: 1,
      members: [
        { clusterID: 'fine-a', phase: 'Ready' },
        { clusterID: names[1], phase: 'Failed', message: expect.stringContaining('name') },
        { clusterID: 'fine-b', phase: 'Ready' },
      ],
    })
  expect(await fleets.condition('mixed', 'Degraded')).toBe('True CreationFailed')
  await fleets.change('mixed', { template: { nodePools: null } })
  await fleets.untilReady('mixed', 3)
})

test('heartbeats of members change neither the fleet nor its version', async () => {
  await fleets.create('calm', { replicas: 1, readiness: 'Conditions' })
  const id = await onlyMember('calm')
  await report(id, 1, 'True')
  await fleets.untilReady('calm', 1)
  const { resourceVersion } = (await fleets.get('calm')).metadata
  for (let index = 0; index < 20; index += 1) await report(id, 1, 'True')
  const name = { namespace: '', name: 'calm-0000' }
  const metadata = { annotations: { seen: 'a' } }
  await fleets.client.patch(CLUSTERS, name, { type: 'merge', body: { metadata } })
  expect((await fleets.get('calm')).metadata.resourceVersion).toBe(resourceVersion)
})
