import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runConformance } from '../../drivers/conformance/run-conformance.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

let sandboxd: TestSandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd[Symbol.asyncDispose]())

const connection = () => sandboxd.connection
const WORKLOAD = 'echo "restored=$SANDBOX_RESTORED"; exec sleep 1000'
/** Writes the hashes of all files and their times. */
const HASHES =
  'find . -type f -printf "%p %m %T@\\n" | sort; find . -type f | sort | xargs sha256sum'

interface Snapshot {
  readonly snapshotUid: string
  readonly digest: string
}

async function suspend(sandbox: RuntimeSandbox, instanceId: string): Promise<Snapshot> {
  const snapshotUid = randomUUID()
  const { digest } = await connection().driver.checkpoint(
    checkpointOf(sandbox, instanceId, snapshotUid),
  )
  await connection().runtime.terminate({
    sandbox: sandbox.key,
    instanceId,
    operationId: `${snapshotUid}.terminate`,
    fence: 1n,
    removeWorkspace: true,
  })
  return { snapshotUid, digest }
}

const checkpointOf = (sandbox: RuntimeSandbox, instanceId: string, snapshotUid: string) => ({
  sandboxName: sandbox.key.name,
  sandboxNamespace: sandbox.key.namespace,
  podName: instanceId,
  sandbox: sandbox.key,
  driver: 'process',
  operationId: `${snapshotUid}.checkpoint`,
  snapshotUid,
  fence: 1n,
})

const restoreOf = (sandbox: RuntimeSandbox, instanceId: string, snapshot: Snapshot) => ({
  sandboxName: sandbox.key.name,
  sandboxNamespace: sandbox.key.namespace,
  sandbox: sandbox.key,
  driver: 'process',
  operationId: `${instanceId}.restore`,
  snapshotUid: snapshot.snapshotUid,
  digest: snapshot.digest,
  instanceId,
  fence: 1n,
})

async function resume(
  sandbox: RuntimeSandbox,
  instanceId: string,
  snapshot: Snapshot,
): Promise<void> {
  const { restoreMetadata } = await connection().driver.restore(
    restoreOf(sandbox, instanceId, snapshot),
  )
  await sandbox.start(instanceId, WORKLOAD, { restoreMetadata })
}

async function artefactsOf(snapshotUid: string): Promise<string> {
  const root = path.join(sandboxd.directory, 'snapshots')
  const found = (await readdir(root, { recursive: true })).find((name) =>
    name.endsWith(snapshotUid),
  )
  if (found === undefined) throw new Error(`no artefacts of ${snapshotUid}`)
  return path.join(root, found)
}

const hashes = async (sandbox: RuntimeSandbox): Promise<string> =>
  (await sandbox.exec(HASHES)).stdout

test('follows the rules of drivers', async () => {
  const target = { endpoint: sandboxd.endpoint, driver: 'process', parameters: { store: 'local' } }
  const results = await runConformance(target)
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(15)
}, 180_000)

test('keeps counters and hashes in five cycles with changes in each', async () => {
  const sandbox = runtimeSandbox(connection, 'cycles')
  await sandbox.start('cycle-0', WORKLOAD)
  for (let cycle = 1; cycle <= 5; cycle += 1) {
    const previous = `cycle-${cycle - 1}`
    await sandbox.exec(`echo ${cycle} >> counter; head -c 100000 /dev/urandom > data-${cycle}`)
    const before = await hashes(sandbox)
    const snapshot = await suspend(sandbox, previous)
    await resume(sandbox, `cycle-${cycle}`, snapshot)
    expect(await hashes(sandbox)).toBe(before)
    await expect.poll(() => sandbox.logs()).toContain('restored=1')
  }
  expect((await sandbox.exec('cat counter')).stdout).toBe('1\n2\n3\n4\n5\n')
})

test.each(['manifest.json', 'files.tar.zst'])(
  'starts nothing and changes nothing if one byte of %s is corrupt',
  async (name) => {
    const sandbox = runtimeSandbox(connection, 'corrupt')
    await sandbox.start('first', WORKLOAD)
    await sandbox.exec('echo content > file')
    const snapshot = await suspend(sandbox, 'first')
    const file = path.join(await artefactsOf(snapshot.snapshotUid), name)
    const content = await readFile(file)
    const handle = await open(file, 'r+')
    await handle.write(Buffer.from([content.readUInt8(50) ^ 1]), 0, 1, 50)
    await handle.close()
    const failed = { code: 'DATA_LOSS', reason: 'SnapshotCorrupt' }
    await expect(resume(sandbox, 'second', snapshot)).rejects.toMatchObject(failed)
    const files = path.join(sandboxd.directory, 'sandboxes', sandbox.key.uid)
    expect(await readdir(path.join(files, 'workspace'))).toEqual([])
    expect(await readdir(files)).not.toContain('.restore')
    await expect(sandbox.get('second')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  },
)

test('thaws the workload and removes partial output after a cancel', async () => {
  const sandbox = runtimeSandbox(connection, 'cancelled')
  await sandbox.start('first', WORKLOAD)
  await sandbox.exec('head -c 300000000 /dev/urandom > big')
  const cancel = new AbortController()
  const snapshotUid = randomUUID()
  const request = checkpointOf(sandbox, 'first', snapshotUid)
  const outcome = connection()
    .driver.checkpoint(request, { signal: cancel.signal })
    .then(
      () => 'captured',
      (error: { code: string }) => error.code,
    )
  await expect
    .poll(() => artefactsOf(snapshotUid).catch(() => null), { interval: 5 })
    .not.toBeNull()
  cancel.abort()
  expect(await outcome).toBe('CANCELLED')
  await sandbox.reaches('Running')
  await expect.poll(() => artefactsOf(snapshotUid).catch(() => null)).toBeNull()
})

test('continues a workload without a cgroup after a checkpoint that is not used', async () => {
  await using ordinary = await startSandboxd(process.getuid?.() === 0 ? { user: 65_534 } : {})
  const { driver, runtime } = ordinary.connection
  const sandbox = runtimeSandbox(() => ordinary.connection, 'undone')
  await sandbox.start('first', 'while :; do echo x >>ticks; sleep 0.01; done')
  const ticks = path.join(ordinary.directory, 'sandboxes', sandbox.key.uid, 'workspace/ticks')
  const size = async () => (await stat(ticks).catch(() => null))?.size ?? 0
  await expect.poll(size).toBeGreaterThan(0)
  await driver.checkpoint(checkpointOf(sandbox, 'first', randomUUID()))
  const stopped = await size()
  await sleep(100)
  expect(await size()).toBe(stopped)
  const request = { sandbox: sandbox.key, instanceId: 'first', operationId: 'thaw', fence: 1n }
  await runtime.thaw(request)
  await expect.poll(size).toBeGreaterThan(stopped)
})

test('finishes a checkpoint and a restore that kills of the runtime interrupted', async () => {
  const sandbox = runtimeSandbox(connection, 'killed')
  await sandbox.start('first', WORKLOAD)
  await sandbox.exec('for i in $(seq 300); do head -c 50000 /dev/urandom > f$i; done')
  const before = await hashes(sandbox)
  const snapshotUid = randomUUID()
  const request = checkpointOf(sandbox, 'first', snapshotUid)
  for (const delay of [10, 60, 150, 300]) {
    const interrupted = connection()
      .driver.checkpoint(request)
      .catch(() => null)
    await sleep(delay)
    await sandboxd.stop('SIGKILL')
    await interrupted
    await sandboxd.restart()
  }
  const { digest } = await connection().driver.checkpoint(request)
  await connection().runtime.terminate({
    sandbox: sandbox.key,
    instanceId: 'first',
    operationId: 't',
    fence: 1n,
    removeWorkspace: true,
  })
  const restore = restoreOf(sandbox, 'second', { snapshotUid, digest })
  for (const delay of [10, 60, 150, 300, 500]) {
    const interrupted = connection()
      .driver.restore(restore)
      .catch(() => null)
    await sleep(delay)
    await sandboxd.stop('SIGKILL')
    await interrupted
    await sandboxd.restart()
  }
  await resume(sandbox, 'second', { snapshotUid, digest })
  expect(await hashes(sandbox)).toBe(before)
  const files = path.join(sandboxd.directory, 'sandboxes', sandbox.key.uid)
  expect(await readdir(files)).not.toContain('.restore')
}, 120_000)

test('keeps snapshots from workloads', async () => {
  const sandbox = runtimeSandbox(connection, 'thief')
  await sandbox.start('first', WORKLOAD)
  await sandbox.exec('echo secret > file')
  const { snapshotUid } = await suspend(sandbox, 'first')
  const artefacts = await artefactsOf(snapshotUid)
  expect((await stat(artefacts)).mode & 0o077).toBe(0)
  const other = runtimeSandbox(connection, 'other')
  await other.start('first', WORKLOAD)
  const { exitCode } = await other.exec(`cat ${artefacts}/manifest.json`)
  expect(exitCode === 0).toBe(process.getuid?.() !== 0)
})
