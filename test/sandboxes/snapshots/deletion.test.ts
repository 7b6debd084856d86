import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { claimApi, WAIT } from '../claims/claim-api.ts'
import { type ReferenceMachine, startReferenceMachine } from './reference-machine.ts'
import { classBackend, conditionOf, createSnapshot, providerBackend } from './snapshot-fixture.ts'

let server: TestServer
let machine: ReferenceMachine
let api: ReturnType<typeof claimApi>

beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all', SANDBOX_RUNTIME: 'off' } })
  api = claimApi(server.origin)
  machine = await startReferenceMachine(server.origin)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await machine[Symbol.asyncDispose]()
})

const isGone = (path: string) => async () => (await api.get(path)).status

test('a deleted Snapshot takes its data with it', async () => {
  await api.createProvider('files', { providerType: 'reference', local: { path: 'x' } })
  await createSnapshot(api, 'simple', { backend: providerBackend('files') })
  machine.store('data-simple')
  await api.remove(api.snapshotPath('simple'))
  await expect.poll(isGone(api.snapshotPath('simple')), WAIT).toBe(404)
  expect(machine.stored()).not.toContain('data-simple')
})

test('a Snapshot whose provider is gone waits, and is deleted when the provider is back', async () => {
  await createSnapshot(api, 'stranded', { backend: providerBackend('absent') })
  machine.store('data-stranded')
  await api.remove(api.snapshotPath('stranded'))
  await expect
    .poll(() => conditionOf(api, 'stranded', 'Deleted'), WAIT)
    .toBe('False/ProviderNotFound the SnapshotProvider "absent" does not exist')
  expect(machine.stored()).toContain('data-stranded')
  await api.createProvider('absent', { providerType: 'reference', local: { path: 'y' } })
  await expect.poll(isGone(api.snapshotPath('stranded')), WAIT).toBe(404)
  expect(machine.stored()).not.toContain('data-stranded')
})

test('data of a class that retains it stays in the store', async () => {
  const backend = classBackend('keeping', 'claim', { reclaimPolicy: 'Retain' })
  await createSnapshot(api, 'retained', { backend })
  machine.store('data-retained')
  await api.remove(api.snapshotPath('retained'))
  await expect.poll(isGone(api.snapshotPath('retained')), WAIT).toBe(404)
  expect(machine.stored()).toContain('data-retained')
})

test('a driver that fails is asked again', async () => {
  await createSnapshot(api, 'flaky', { backend: providerBackend('files') })
  machine.store('data-flaky')
  const action = { type: 'fail', code: 'INTERNAL' } as const
  machine.reference.faults.inject({ call: 'delete', point: 'before-effect', action, times: 1 })
  await api.remove(api.snapshotPath('flaky'))
  await expect.poll(isGone(api.snapshotPath('flaky')), WAIT).toBe(404)
  expect(machine.stored()).not.toContain('data-flaky')
  expect(await api.events('DeletionFailed')).toHaveLength(1)
})

test('a provider with snapshots is kept until they are gone, and an event names them', async () => {
  await api.createProvider('needed', { providerType: 'reference', local: { path: 'z' } })
  await createSnapshot(api, 'user', { backend: providerBackend('needed') })
  const path = api.providerPath('needed')
  await expect
    .poll(async () => (await api.get(path)).body.metadata.finalizers, WAIT)
    .toContain('agents.x-k8s.io/snapshot-protection')
  await api.remove(path)
  await expect
    .poll(() => api.events('InUse'), WAIT)
    .toContain('The deletion waits for a user: "Snapshot default/user"')
  expect((await api.get(path)).body.metadata.deletionTimestamp).toBeDefined()
  await api.remove(api.snapshotPath('user'))
  await expect.poll(isGone(path), WAIT).toBe(404)
})

test('an administrator forces the removal of a class by removing its finalizer', async () => {
  await api.createClass('forced')
  await createSnapshot(api, 'holder', { backend: classBackend('forced', 'claim') })
  const path = api.classPath('forced')
  await expect
    .poll(async () => (await api.get(path)).body.metadata.finalizers, WAIT)
    .toContain('agents.x-k8s.io/snapshot-protection')
  await api.remove(path)
  expect((await api.merge(path, { metadata: { finalizers: null } })).status).toBe(200)
  expect((await api.get(path)).status).toBe(404)
  await api.remove(api.snapshotPath('holder'))
  await expect
    .poll(() => conditionOf(api, 'holder', 'Deleted'), WAIT)
    .toContain('False/ClassNotFound')
})
