import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  HIBERNATES,
  type ReferenceFixture,
  startReferenceFixture,
} from '../support/start-reference-fixture.ts'

let fixture: ReferenceFixture

beforeAll(async () => {
  fixture = await startReferenceFixture()
})

afterAll(() => fixture[Symbol.asyncDispose]())

const running = (uid: string) =>
  [...fixture.reference.state.instances.values()].filter(
    ({ instance }) => instance.sandbox?.uid === uid && instance.state === 'Running',
  )

/** The events of a sandbox, sorted by reason. */
async function eventsOf(name: string) {
  const { body } = await fixture.api.call('GET', '/api/v1/namespaces/default/events')
  const items: readonly SandboxEvent[] = body.items
  return items
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ reason, type, count, message }) => ({ reason, type, count, message }))
    .toSorted((a, b) => (a.reason < b.reason ? -1 : 1))
}

interface SandboxEvent {
  readonly involvedObject: { readonly name: string }
  readonly reason: string
  readonly type: string
  readonly count: number
  readonly message: string
}

test('a sandbox starts, hibernates into a snapshot and resumes from it', async () => {
  const { api, waitFor, reference } = fixture
  const { body } = await api.createSandbox('hibernating', HIBERNATES)
  const { uid } = body.metadata
  const started = await waitFor('hibernating', 'Ready=True/DependenciesReady')
  expect(started.body.status).toMatchObject({ boot: 'CLEAN', runtime: 'reference' })
  expect(running(uid)).toHaveLength(1)
  reference.state.files.set(uid, new Map([['count', '7']]))

  await api.patchSandbox('hibernating', { spec: { operatingMode: 'Suspended' } })
  const suspended = await waitFor('hibernating', 'Suspended=True/PodTerminated')
  expect(suspended.body.status.snapshot).toMatchObject({ snapshotProviderName: 'local' })
  expect(running(uid)).toHaveLength(0)
  expect(reference.state.snapshots.size).toBe(1)

  reference.state.files.delete(uid)
  await api.patchSandbox('hibernating', { spec: { operatingMode: 'Running' } })
  const resumed = await waitFor('hibernating', 'Ready=True', 'Restored=True')
  expect(resumed.body.status.boot).toBe('RESUME_FS')
  expect(reference.state.files.get(uid)?.get('count')).toBe('7')
  const [instance, ...others] = running(uid)
  expect(others).toEqual([])
  const { snapshotUID } = suspended.body.status.snapshot
  expect(instance?.request.restoreMetadata['env.DRIVER_METADATA']).toBe(
    JSON.stringify({ 'reference/snapshot': snapshotUID }),
  )
})

test('a strategy without a store uses the default claim, which is created once', async () => {
  const { api, waitFor } = fixture
  await api.create(DEFAULT_CLASS)
  for (const name of ['default-one', 'default-two']) {
    await api.createSandbox(name, { suspensionStrategy: { type: 'Hibernate', hibernate: {} } })
    await waitFor(name, 'Ready=True')
    await api.patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
    const { body } = await waitFor(name, 'Suspended=True/PodTerminated')
    expect(body.status.snapshot).toMatchObject({
      snapshotClassName: 'fast',
      snapshotClaimName: 'default',
    })
  }
})

const DEFAULT_CLASS = {
  apiVersion: 'agents.x-k8s.io/v1beta1',
  kind: 'SnapshotClass',
  metadata: {
    name: 'fast',
    annotations: { 'snapshotclass.agents.x-k8s.io/is-default-class': 'true' },
  },
  provisioner: 'reference',
}

test('a suspension without a provider waits, and an event and conditions explain it', async () => {
  const { api, waitFor } = fixture
  const { body } = await api.createSandbox('waiting', {
    suspensionStrategy: {
      type: 'Hibernate',
      hibernate: { snapshotProviderRef: { name: 'missing' } },
    },
  })
  await waitFor('waiting', 'Ready=True')
  await api.patchSandbox('waiting', { spec: { operatingMode: 'Suspended' } })
  const waiting = await waitFor('waiting', 'BackendResolved=False/ProviderNotFound')
  const [ready] = waiting.body.status.conditions
  expect(ready.message).toBe(
    'The workload runs; it cannot be suspended yet: see the condition Suspended',
  )
  expect(running(body.metadata.uid)).toHaveLength(1)
  await expect
    .poll(() => eventsOf('waiting'))
    .toContainEqual({
      reason: 'ProviderNotFound',
      type: 'Warning',
      count: 1,
      message: 'The operation Suspend waits: the SnapshotProvider "missing" does not exist',
    })
})

test('a suspension is reported when it begins and when it ends', async () => {
  const { api, waitFor } = fixture
  await api.createSandbox('reported', HIBERNATES)
  await waitFor('reported', 'Ready=True')
  await api.patchSandbox('reported', { spec: { operatingMode: 'Suspended' } })
  await waitFor('reported', 'Suspended=True')
  await expect
    .poll(() => eventsOf('reported'))
    .toMatchObject([
      { reason: 'Started', count: 1 },
      { reason: 'SuspendBegan', count: 1 },
      { reason: 'Suspended', count: 1 },
    ])
})

test('a stopped sandbox starts again with its workspace, unless it boots cold', async () => {
  const { api, waitFor, reference } = fixture
  const { body } = await api.createSandbox('stopping', {})
  const { uid } = body.metadata
  await waitFor('stopping', 'Ready=True')
  reference.state.files.set(uid, new Map([['old', '1']]))
  await api.patchSandbox('stopping', { spec: { operatingMode: 'Suspended' } })
  await waitFor('stopping', 'Suspended=True/PodTerminated', 'Ready=False/SandboxSuspended')
  expect(running(uid)).toHaveLength(0)
  await api.patchSandbox('stopping', { spec: { operatingMode: 'Running' } })
  const { body: resumed } = await waitFor('stopping', 'Ready=True', 'Suspended=False/NotSuspended')
  expect(reference.state.files.get(uid)).toEqual(new Map([['old', '1']]))
  expect(resumed.status.boot).toBe('CLEAN')

  await api.patchSandbox('stopping', { spec: { operatingMode: 'Suspended' } })
  await waitFor('stopping', 'Suspended=True/PodTerminated')
  const annotations = { 'agents.x-k8s.io/cold-boot': '' }
  const cold = { metadata: { annotations }, spec: { operatingMode: 'Running' } }
  await api.patchSandbox('stopping', cold)
  await waitFor('stopping', 'Ready=True', 'Restored=False/ColdBoot')
  expect(reference.state.files.get(uid)?.size ?? 0).toBe(0)
})

test('a frozen sandbox continues with the same instance', async () => {
  const { api, waitFor } = fixture
  const { body } = await api.createSandbox('freezing', { suspensionStrategy: { type: 'Freeze' } })
  const { uid } = body.metadata
  await waitFor('freezing', 'Ready=True')
  const [before] = running(uid)
  await api.patchSandbox('freezing', { spec: { operatingMode: 'Suspended' } })
  await waitFor('freezing', 'Suspended=True/Frozen')
  expect(running(uid)).toHaveLength(0)
  await api.patchSandbox('freezing', { spec: { operatingMode: 'Running' } })
  await waitFor('freezing', 'Ready=True')
  expect(running(uid).map(({ instance }) => instance.instanceId)).toEqual([
    before?.instance.instanceId,
  ])
})

test('a deleted sandbox disappears with its workload', async () => {
  const { api, waitFor } = fixture
  const { body } = await api.createSandbox('deleted', {})
  await waitFor('deleted', 'Ready=True')
  const path = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/deleted'
  await api.call('DELETE', path)
  await expect.poll(async () => (await api.getSandbox('deleted')).status).toBe(404)
  expect(running(body.metadata.uid)).toHaveLength(0)
})
