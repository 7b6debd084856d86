import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SandboxRecord } from '../../../src/sandboxes/drivers/runtime/records/sandbox-record.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

let sandboxd: TestSandboxd

beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterEach(() => sandboxd.clear())
afterAll(() => sandboxd[Symbol.asyncDispose]())

const sandbox = (name?: string) => runtimeSandbox(() => sandboxd.connection, name)

async function killAndRestart(
  change?: (record: SandboxRecord) => SandboxRecord,
  uid = '',
): Promise<void> {
  await sandboxd.stop('SIGKILL')
  if (change !== undefined) {
    const file = path.join(sandboxd.directory, 'records', `${uid}.json`)
    const record: SandboxRecord = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify(change(record)))
  }
  await sandboxd.restart()
}

it('finds running and frozen instances again after it was killed', async () => {
  const running = sandbox('running')
  const frozen = sandbox('frozen')
  const before = await running.start('one', 'sleep 60')
  await frozen.start('one', 'sleep 60')
  const { freezes } = await sandboxd.connection.runtime.getRuntimeInfo({})
  if (freezes) await sandboxd.connection.runtime.freeze({ sandbox: frozen.key, fence: 1n })
  await killAndRestart()
  expect(await running.get()).toMatchObject({ state: 'Running', pid: before.pid })
  expect((await frozen.get()).state).toBe(freezes ? 'Frozen' : 'Running')
  expect((await running.exec('echo ok')).stdout).toBe('ok\n')
})

it('reports the exit code of a workload that ended while no runtime ran', async () => {
  const box = sandbox()
  await box.start('one', 'until [ -e go ]; do sleep 0.02; done; echo end; exit 42')
  await sandboxd.stop('SIGKILL')
  const workspace = path.join(sandboxd.directory, 'sandboxes', box.key.uid, 'workspace')
  await writeFile(path.join(workspace, 'go'), '')
  const exit = path.join(workspace, '../run/one/exit')
  await expect.poll(() => stat(exit).catch(() => null)).not.toBeNull()
  await sandboxd.restart()
  expect(await box.get()).toMatchObject({ state: 'Exited', exitCode: 42, exitSignal: 0 })
  expect(await box.logs()).toBe('end\n')
})

it('reports lost workloads after a reboot', async () => {
  const box = sandbox()
  await box.start('one', 'sleep 60')
  await killAndRestart(
    (record) => ({ ...record, current: record.current && { ...record.current, bootId: 'other' } }),
    box.key.uid,
  )
  expect(await box.get()).toMatchObject({ state: 'Exited', message: 'WorkloadLost' })
})

it('never takes another process with the same pid for the workload', async () => {
  const box = sandbox()
  await box.start('one', 'sleep 60')
  const { freezes } = await sandboxd.connection.runtime.getRuntimeInfo({})
  await sandboxd.stop('SIGKILL')
  const file = path.join(sandboxd.directory, 'records', `${box.key.uid}.json`)
  const record: SandboxRecord = JSON.parse(await readFile(file, 'utf8'))
  const own = { pid: process.pid, start: 'another time' }
  const current = record.current && { ...record.current, init: own, shim: own }
  await writeFile(file, JSON.stringify({ ...record, current }))
  await sandboxd.restart()
  // The cgroup shows which processes are left. This process is alive, or the test would end here.
  expect(freezes ? (await box.get()).state : 'Exited').toBe('Exited')
})

it('starts one process if it is killed at any time of a start', async () => {
  for (let round = 0; round < 6; round += 1) {
    const box = sandbox()
    const starting = box.start('one', `sleep 48${round}`).catch(() => null)
    await sleep(round * 12)
    await killAndRestart()
    await starting
    const { pid, state } = await box.start('one', `sleep 48${round}`)
    expect(state).toBe('Running')
    const found = () => processesOf(`sleep\x0048${round}`)
    await expect.poll(found).toHaveLength(1)
    await sleep(100)
    expect(await found()).toHaveLength(1)
    expect((await box.get()).pid).toBe(pid)
  }
})

it('rejects a second runtime in the same directory', async () => {
  await expect(startSandboxd({ directory: sandboxd.directory })).rejects.toThrow(
    /dir of SANDBOXD .* is in use by process \d+: stop it/,
  )
})

it('leaves workloads running on SIGTERM, and ends them if a server has started it', async () => {
  const box = sandbox()
  const { pid } = await box.start('one', 'sleep 60')
  await sandboxd.stop('SIGTERM')
  await sandboxd.restart()
  expect(await box.get()).toMatchObject({ state: 'Running', pid })
  await using managed = await startSandboxd({ arguments: ['--managed'] })
  const other = runtimeSandbox(() => managed.connection)
  await other.start('one', 'sleep 4816')
  await managed.stop('SIGTERM')
  expect(await processesOf('sleep\x004816')).toEqual([])
})

/** The pids of processes whose command line begins with these words. */
async function processesOf(words: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return pids.filter((_pid, index) => commands[index]?.startsWith(`${words}\0`))
}
