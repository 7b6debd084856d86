import { execFileSync } from 'node:child_process'
import { access, mkdir, open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { poll } from '../support/poll.ts'
import { HIBERNATE, shellTemplate } from '../support/shell-sandbox.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'

let fixture: SandboxServer
beforeAll(async () => {
  fixture = await startSandboxServer()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const WRITES = `
  cd "$SANDBOX_WORKSPACE"
  head -c 3000000 /dev/urandom > data
  echo $$ > started
  exec sleep 1000`

/** Creates a sandbox whose workload has written its files. Returns its directory. */
async function startSandbox(name: string, suspensionStrategy: object): Promise<string> {
  const { api, sandboxd, waitFor } = fixture
  const podTemplate = shellTemplate(WRITES)
  const { body } = await api.createSandbox(name, { podTemplate, suspensionStrategy })
  await waitFor(name, 'Ready=True')
  const directory = path.join(sandboxd.directory, 'sandboxes', body.metadata.uid)
  await poll(
    'the files of the workload',
    () => readFile(path.join(directory, 'workspace/started'), 'utf8').catch(() => ''),
    (text) => text !== '',
  )
  return directory
}

const setMode = (name: string, operatingMode: string) =>
  fixture.api.patchSandbox(name, { spec: { operatingMode } })

/** The processes of a sandbox that have not ended, on its machine. */
async function instancesOf(name: string): Promise<{ id: string; state: string }[]> {
  const found: { id: string; state: string }[] = []
  for await (const one of fixture.sandboxd.connection.runtime.listInstances({})) {
    const isLive = one.state === 'Running' || one.state === 'Frozen'
    if (one.sandbox?.name === name && isLive) found.push({ id: one.instanceId, state: one.state })
  }
  return found
}

async function corruptOneByte(file: string): Promise<void> {
  const content = await readFile(file)
  const at = Math.floor(content.length / 2)
  const handle = await open(file, 'r+')
  await handle.write(Buffer.from([content.readUInt8(at) ^ 1]), 0, 1, at)
  await handle.close()
}

test.each(['files.tar.zst', 'manifest.json'])(
  'A corrupted byte: SnapshotCorrupt, nothing started. (%s)',
  async (artefact) => {
    const name = `corrupt-${artefact.split('.')[0]}`
    const directory = await startSandbox(name, HIBERNATE)
    await setMode(name, 'Suspended')
    await fixture.waitFor(name, 'Suspended=True', 'SnapshotReady=True')
    const uid = path.basename(directory)
    const snapshots = path.join(fixture.sandboxd.directory, 'snapshots')
    const files = await readdir(snapshots, { recursive: true })
    const file = files.find((each) => each.includes(uid) && each.endsWith(artefact))
    await corruptOneByte(path.join(snapshots, file ?? ''))
    await setMode(name, 'Running')
    await fixture.waitFor(name, 'Restored=False/SnapshotCorrupt', 'Suspended=True')
    expect(await instancesOf(name)).toEqual([])
    expect(await readdir(path.join(directory, 'workspace'))).toEqual([])
  },
)

test.runIf(process.getuid?.() === 0)('Store full: the workload keeps running.', async () => {
  const directory = path.join(fixture.sandboxd.directory, 'snapshots/small')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', directory])
  onTestFinished(() => void execFileSync('umount', [directory]))
  await createProvider('small', directory)
  await startSandbox('full', strategyOf('small'))
  const before = await instancesOf('full')
  await setMode('full', 'Suspended')
  await fixture.waitFor('full', 'SnapshotReady=False/StoreFull')
  await poll(
    'the running workload',
    () => instancesOf('full'),
    ([one]) => one?.state === 'Running' && one.id === before[0]?.id,
  )
  // No further attempt.
  await setMode('full', 'Running')
  await fixture.waitFor('full', 'Progressing=False')
  expect(await readdir(directory)).toEqual([])
})

test('`../evil` is rejected.', async () => {
  const refused = await createProvider('evil', '../evil')
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('..')
  const evil = path.join(fixture.sandboxd.directory, '../evil')
  expect((await createProvider('outside', evil)).status).toBe(201)
  await startSandbox('escapes', strategyOf('outside'))
  await setMode('escapes', 'Suspended')
  await fixture.waitFor('escapes', 'BackendResolved=False/ParametersInvalid', 'Suspended=False')
  expect(await instancesOf('escapes')).toMatchObject([{ state: 'Running' }])
  await expect(access(evil)).rejects.toThrow('ENOENT')
})

function createProvider(name: string, directory: string) {
  return fixture.api.create({
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'SnapshotProvider',
    metadata: { name },
    spec: { providerType: 'process', local: { path: directory } },
  })
}

function strategyOf(provider: string): object {
  return { type: 'Hibernate', hibernate: { snapshotProviderRef: { name: provider } } }
}
