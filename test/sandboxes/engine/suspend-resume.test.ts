import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  HIBERNATES,
  type ReferenceFixture,
  startReferenceFixture,
} from '../support/start-reference-fixture.ts'

let fixture: ReferenceFixture

beforeAll(async () => {
  fixture = await startReferenceFixture()
}, 60_000)

afterAll(() => fixture[Symbol.asyncDispose]())

const running = (uid: string) =>
  [...fixture.reference.state.instances.values()].filter(
    ({ instance }) => instance.sandbox?.uid === uid && instance.state === 'Running',
  )

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
  expect(running(uid)).toHaveLength(1)
}, 60_000)

test('a stopped sandbox starts again without its workspace', async () => {
  const { api, waitFor, reference } = fixture
  const { body } = await api.createSandbox('stopping', {})
  const { uid } = body.metadata
  await waitFor('stopping', 'Ready=True')
  await api.patchSandbox('stopping', { spec: { operatingMode: 'Suspended' } })
  await waitFor('stopping', 'Suspended=True/PodTerminated', 'Ready=False/SandboxSuspended')
  expect(running(uid)).toHaveLength(0)
  reference.state.files.set(uid, new Map([['old', '1']]))
  await api.patchSandbox('stopping', { spec: { operatingMode: 'Running' } })
  const { body: resumed } = await waitFor('stopping', 'Ready=True', 'Suspended=False/NotSuspended')
  expect(reference.state.files.get(uid)?.size ?? 0).toBe(0)
  expect(resumed.status.boot).toBe('CLEAN')
}, 60_000)

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
}, 60_000)

test('a deleted sandbox disappears with its workload', async () => {
  const { api, waitFor } = fixture
  const { body } = await api.createSandbox('deleted', {})
  await waitFor('deleted', 'Ready=True')
  const path = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/deleted'
  await api.call('DELETE', path)
  await expect
    .poll(async () => (await api.getSandbox('deleted')).status, { timeout: 30_000 })
    .toBe(404)
  expect(running(body.metadata.uid)).toHaveLength(0)
}, 60_000)
