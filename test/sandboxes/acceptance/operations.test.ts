import { afterAll, beforeEach, beforeAll, expect, test } from 'vitest'
import { poll } from '../support/poll.ts'
import { conditionTexts } from '../support/sandbox-conditions.ts'
import {
  HIBERNATES,
  type ReferenceFixture,
  startReferenceFixture,
} from '../support/start-reference-fixture.ts'

const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'

let fixture: ReferenceFixture

beforeAll(async () => {
  fixture = await startReferenceFixture()
})

beforeEach(() => fixture.reference.faults.clear())

afterAll(() => fixture[Symbol.asyncDispose]())

const suspend = (name: string, spec: object = {}) =>
  fixture.api.patchSandbox(name, { spec: { operatingMode: 'Suspended', ...spec } })

const resume = (name: string, spec: object = {}) =>
  fixture.api.patchSandbox(name, { spec: { operatingMode: 'Running', ...spec } })

/** Creates a sandbox that hibernates, and waits until it runs. */
async function runningSandbox(name: string): Promise<string> {
  await fixture.api.createSandbox(name, HIBERNATES)
  const { body } = await fixture.waitFor(name, 'Ready=True')
  return body.metadata.uid
}

const inState = (uid: string, ...states: readonly string[]) =>
  [...fixture.reference.state.instances.values()].filter(
    ({ instance }) => instance.sandbox?.uid === uid && states.includes(instance.state),
  )

const snapshotsOf = (uid: string) =>
  [...fixture.reference.state.snapshots.values()].filter(({ info }) => info.sandbox?.uid === uid)

test('Lost answers leave one snapshot and one process.', async () => {
  const { faults } = fixture.reference
  faults.inject({ call: 'start', point: 'before-answer', action: { type: 'lose-answer' } })
  const uid = await runningSandbox('lost-answers')
  expect(inState(uid, 'Running')).toHaveLength(1)
  for (const call of ['checkpoint', 'terminate'] as const) {
    faults.inject({ call, point: 'after-effect', action: { type: 'lose-answer' } })
  }
  await suspend('lost-answers')
  await fixture.waitFor('lost-answers', 'Suspended=True/PodTerminated')
  expect(snapshotsOf(uid)).toHaveLength(1)
  expect(inState(uid, 'Running', 'Frozen')).toHaveLength(0)
  for (const call of ['restore', 'start'] as const) {
    faults.inject({ call, point: 'after-effect', action: { type: 'lose-answer' } })
  }
  await resume('lost-answers')
  await fixture.waitFor('lost-answers', 'Ready=True')
  expect(inState(uid, 'Running')).toHaveLength(1)
  expect(snapshotsOf(uid)).toHaveLength(1)
})

test('A sandbox that was removed by force ends, also if the runtime fails first.', async () => {
  const uid = await runningSandbox('forced')
  fixture.reference.faults.inject({
    call: 'terminate',
    point: 'before-effect',
    action: { type: 'fail', code: 'INTERNAL' },
  })
  const { body } = await fixture.api.call('DELETE', `${SANDBOXES}/forced`)
  expect(body.metadata.deletionTimestamp).toBeDefined()
  await fixture.api.patchSandbox('forced', { metadata: { finalizers: null } })
  expect((await fixture.api.getSandbox('forced')).status).toBe(404)
  await expect.poll(() => inState(uid, 'Running')).toEqual([])
})

test('A suspension keeps the memory of a workload whose start has not answered.', async () => {
  fixture.reference.faults.inject({
    call: 'start',
    point: 'after-effect',
    action: { type: 'hang' },
  })
  const { body } = await fixture.api.createSandbox('suspended-early', HIBERNATES)
  const { uid } = body.metadata
  await poll(
    'the started workload',
    () => inState(uid, 'Running').length,
    (count) => count === 1,
  )
  await suspend('suspended-early')
  await fixture.waitFor('suspended-early', 'Suspended=True/PodTerminated', 'SnapshotReady=True')
  expect(snapshotsOf(uid)).toHaveLength(1)
})

test('Stop after Hibernate keeps the files, and restores no older snapshot.', async () => {
  const uid = await runningSandbox('stopped-later')
  fixture.reference.state.files.set(uid, new Map([['old', 'yes']]))
  await suspend('stopped-later')
  await fixture.waitFor('stopped-later', 'Suspended=True')
  await resume('stopped-later')
  await fixture.waitFor('stopped-later', 'Ready=True', 'Restored=True')
  fixture.reference.state.files.set(uid, new Map([['new', 'yes']]))
  await suspend('stopped-later', { suspensionStrategy: { type: 'Stop', hibernate: null } })
  await fixture.waitFor('stopped-later', 'Suspended=True/PodTerminated')
  await resume('stopped-later')
  const { body } = await fixture.waitFor('stopped-later', 'Ready=True')
  expect(body.status.boot).toBe('CLEAN')
  expect(fixture.reference.state.files.get(uid)).toEqual(new Map([['new', 'yes']]))
})

test('Store full: the workload keeps running.', async () => {
  const uid = await runningSandbox('store-full')
  const [before] = inState(uid, 'Running')
  fixture.reference.faults.inject({
    call: 'checkpoint',
    point: 'during-effect',
    action: { type: 'fail', code: 'RESOURCE_EXHAUSTED', reason: 'StoreFull' },
    times: Number.MAX_SAFE_INTEGER,
  })
  await suspend('store-full')
  const { body } = await fixture.waitFor('store-full', 'SnapshotReady=False/StoreFull')
  expect(conditionTexts({ body })).toContain('Suspended=False/CheckpointFailed')
  expect(conditionTexts({ body })).toContain('Ready=True/DependenciesReady')
  expect(conditionTexts({ body })).toContain('BackendResolved=True/Resolved')
  await poll(
    'the thawed workload',
    () => inState(uid, 'Running').map(({ instance }) => instance.instanceId),
    (ids) => ids.length === 1 && ids[0] === before?.instance.instanceId,
  )
  fixture.reference.faults.clear()
  await fixture.waitFor('store-full', 'Suspended=True/PodTerminated')
  expect(snapshotsOf(uid)).toHaveLength(1)
})

test('a failed checkpoint stops the workload if the strategy says so', async () => {
  const uid = await runningSandbox('stops-on-failure')
  fixture.reference.faults.inject({
    call: 'checkpoint',
    point: 'before-effect',
    action: { type: 'fail', code: 'INTERNAL' },
  })
  await suspend('stops-on-failure', { suspensionStrategy: { onFailure: 'Stop' } })
  await fixture.waitFor(
    'stops-on-failure',
    'Suspended=True',
    'SnapshotReady=False/CheckpointFailed',
  )
  expect(inState(uid, 'Running', 'Frozen')).toHaveLength(0)
})

test('Running during a checkpoint cancels it and thaws the workload', async () => {
  const uid = await runningSandbox('reversed')
  const [before] = inState(uid, 'Running')
  fixture.reference.faults.inject({
    call: 'checkpoint',
    point: 'during-effect',
    action: { type: 'hang' },
  })
  await suspend('reversed')
  await poll(
    'the frozen workload',
    () => inState(uid, 'Frozen').length,
    (count) => count === 1,
  )
  await resume('reversed')
  await fixture.waitFor('reversed', 'Ready=True', 'Progressing=False/Complete')
  expect(inState(uid, 'Running').map(({ instance }) => instance.instanceId)).toEqual([
    before?.instance.instanceId,
  ])
  expect(snapshotsOf(uid)).toHaveLength(0)
})

test('a missing provider leaves the sandbox running, and its creation continues the suspend', async () => {
  const hibernate = { snapshotProviderRef: { name: 'later' } }
  await fixture.api.createSandbox('unresolved', {
    suspensionStrategy: { type: 'Hibernate', hibernate },
  })
  const { body } = await fixture.waitFor('unresolved', 'Ready=True')
  await suspend('unresolved')
  await fixture.waitFor('unresolved', 'BackendResolved=False/ProviderNotFound')
  expect(inState(body.metadata.uid, 'Running')).toHaveLength(1)
  await fixture.api.create({
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'SnapshotProvider',
    metadata: { name: 'later' },
    spec: { providerType: 'reference', local: { path: '/snapshots' } },
  })
  await fixture.waitFor('unresolved', 'Suspended=True', 'BackendResolved=True')
})

test('a restore that fails keeps the sandbox suspended until a cold boot is permitted', async () => {
  const uid = await runningSandbox('strict')
  await suspend('strict')
  await fixture.waitFor('strict', 'Suspended=True')
  fixture.reference.faults.inject({
    call: 'restore',
    point: 'before-effect',
    action: { type: 'fail', code: 'DATA_LOSS', reason: 'SnapshotCorrupt' },
    times: 100,
  })
  await resume('strict')
  await fixture.waitFor('strict', 'Restored=False/SnapshotCorrupt', 'Suspended=True/PodTerminated')
  expect(inState(uid, 'Running', 'Frozen')).toHaveLength(0)
  expect(snapshotsOf(uid)).toHaveLength(1)
  await fixture.api.patchSandbox('strict', { spec: { restorePolicy: 'AllowColdBoot' } })
  const { body } = await fixture.waitFor('strict', 'Ready=True', 'Restored=False/ColdBoot')
  expect(body.status.boot).toBe('CLEAN')
})

test('a workload that ends starts again, unless its policy says otherwise', async () => {
  const end = (uid: string, exitCode: number): void => {
    for (const one of inState(uid, 'Running')) {
      const { instance } = one
      const changed = { ...instance, state: 'Exited', exitCode, finishedUnixMs: BigInt(Date.now()) }
      fixture.reference.state.instances.set(instance.instanceId, { ...one, instance: changed })
      for (const watcher of fixture.reference.state.watchers) watcher(changed)
    }
  }
  const always = await runningSandbox('always')
  end(always, 1)
  await poll(
    'the restart',
    async () => (await fixture.api.getSandbox('always')).body.status.restarts,
    (restarts) => restarts === 1,
  )
  const { body } = await fixture.waitFor('always', 'Ready=True')
  expect(body.status.restarts).toBe(1)
  expect(inState(always, 'Running')).toHaveLength(1)
  await fixture.api.createSandbox('never', {
    podTemplate: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', command: ['/bin/true'] }] },
    },
  })
  const never = await fixture.waitFor('never', 'Ready=True')
  end(never.body.metadata.uid, 0)
  await fixture.waitFor('never', 'Finished=True/PodSucceeded', 'Ready=False')
})
