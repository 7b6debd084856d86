import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { claimApi, WAIT } from '../claims/claim-api.ts'
import { type ReferenceMachine, startReferenceMachine } from '../snapshots/reference-machine.ts'
import { conditionOf, createSnapshot, providerBackend } from '../snapshots/snapshot-fixture.ts'

let server: TestServer
let machine: ReferenceMachine
let api: ReturnType<typeof claimApi>

beforeAll(async () => {
  server = await startTestServer({
    env: { ROLE: 'all', SANDBOX_RUNTIME: 'off' },
    config: { snapshotSweepInterval: 1, snapshotOrphanGrace: 60 },
  })
  api = claimApi(server.origin)
  machine = await startReferenceMachine(server.origin)
  await api.createProvider('files', { providerType: 'reference', local: { path: 'x' } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await machine[Symbol.asyncDispose]()
})

async function createStored(name: string, sandbox: string, completeTime: string): Promise<void> {
  machine.store(`data-${name}`, { ageSeconds: 0 })
  await createSnapshot(api, name, { sandbox, backend: providerBackend('files'), completeTime })
}

function minutesAgo(minutes: number): string {
  return `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`
}

async function snapshotsOf(prefix: string): Promise<readonly string[]> {
  return (await api.names('snapshots')).filter((name) => name.startsWith(prefix)).toSorted()
}

describe('Retention and the orphan sweeper', () => {
  test('the newest snapshots of a sandbox are kept, and older ones go with their data', async () => {
    await api.createSandbox('busy', { snapshotPolicy: { keepLast: 2 } })
    for (const age of [1, 2, 3, 4]) await createStored(`busy-${age}`, 'busy', minutesAgo(age))
    await expect.poll(() => snapshotsOf('busy'), WAIT).toEqual(['busy-1', 'busy-2'])
    expect(machine.stored().filter((uid) => uid.startsWith('data-busy'))).toEqual([
      'data-busy-1',
      'data-busy-2',
    ])
  })

  test('snapshots expire after their time to live', async () => {
    await api.createSandbox('brief', { snapshotPolicy: { keepLast: 5, ttlSeconds: 600 } })
    await createStored('brief-new', 'brief', minutesAgo(1))
    await createStored('brief-old', 'brief', minutesAgo(11))
    await expect.poll(() => snapshotsOf('brief'), WAIT).toEqual(['brief-new'])
  })

  test('a snapshot from which a sandbox is about to start is never removed', async () => {
    await api.createSandbox('source', { snapshotPolicy: { ttlSeconds: 60 } })
    await api.createSandbox('fork', {
      operatingMode: 'Suspended',
      restoreFrom: { snapshotName: 'source-1' },
    })
    await createStored('source-1', 'source', minutesAgo(5))
    await createStored('source-2', 'source', minutesAgo(6))
    await expect.poll(() => snapshotsOf('source'), WAIT).toEqual(['source-1'])
    await api.remove(api.snapshotPath('source-1'))
    await expect
      .poll(() => conditionOf(api, 'source-1', 'Deleted'), WAIT)
      .toBe('False/InUse Sandbox default/fork starts from the snapshot')
    expect(machine.stored()).toContain('data-source-1')
  })

  test('snapshots follow their sandbox, unless its policy keeps them', async () => {
    await api.createSandbox('mortal', {})
    await api.createSandbox('generous', { snapshotPolicy: { deleteWithSandbox: false } })
    await createStored('mortal-1', 'mortal', minutesAgo(1))
    await createStored('generous-1', 'generous', minutesAgo(1))
    await expect.poll(() => ownersOf('mortal-1'), WAIT).toEqual(['mortal'])
    await api.remove(api.sandboxPath('mortal'))
    await api.remove(api.sandboxPath('generous'))
    await expect.poll(() => snapshotsOf('mortal'), WAIT).toEqual([])
    expect(await snapshotsOf('generous')).toEqual(['generous-1'])
    expect(machine.stored()).toContain('data-generous-1')
    expect(machine.stored()).not.toContain('data-mortal-1')
  })

  test('the sweeper removes only old data of this control plane without a Snapshot', async () => {
    const installation = await installationOf()
    machine.store('orphan', { installation })
    machine.store('foreign', { installation: 'another-control-plane' })
    machine.store('unmarked', {})
    machine.store('young', { installation, ageSeconds: 0 })
    await expect.poll(() => machine.stored(), WAIT).not.toContain('orphan')
    expect(machine.stored()).toEqual(expect.arrayContaining(['foreign', 'unmarked', 'young']))
  })

  test('a Snapshot whose data is gone becomes Failed, and Ready when the data is back', async () => {
    await createSnapshot(api, 'hollow', { backend: providerBackend('files') })
    await expect
      .poll(async () => (await api.get(api.snapshotPath('hollow'))).body.status.phase, WAIT)
      .toBe('Failed')
    expect(await conditionOf(api, 'hollow', 'Ready')).toContain('False/DataMissing')
    machine.store('data-hollow')
    await expect
      .poll(async () => (await api.get(api.snapshotPath('hollow'))).body.status.phase, WAIT)
      .toBe('Ready')
  })
})

async function ownersOf(name: string): Promise<readonly string[]> {
  const { body } = await api.get(api.snapshotPath(name))
  const owners: readonly { name: string }[] = body.metadata.ownerReferences ?? []
  return owners.map((owner) => owner.name)
}

async function installationOf(): Promise<string> {
  const path = '/api/v1/namespaces/kube-system/configmaps/flotilla-installation'
  await expect.poll(async () => (await api.get(path)).status, WAIT).toBe(200)
  return (await api.get(path)).body.metadata.uid
}
