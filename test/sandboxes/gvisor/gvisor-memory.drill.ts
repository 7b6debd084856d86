import { readdir, readFile, truncate } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { errorMessage } from '../../../src/lib/error-message.ts'
import { counterProgram, PYTHON } from '../support/counter-program.ts'
import { startHoldingStore } from '../support/holding-store.ts'
import { eventually, memorySandbox } from '../support/memory-sandbox.ts'
import { truncateArchive } from '../support/truncate-archive.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const GVISOR = { driver: 'gvisor', isolationClass: 'gvisor' }

const FETCH = `${PYTHON} -c 'import urllib.request as r; print(r.urlopen("http://127.0.0.1:8080").read().decode())'`
/** It starts no programs, each of which costs gVisor 14 ms of processor time. */
const TICKING = [
  '/usr/bin/perl',
  '-e',
  '$| = 1; print("tick\\n"), select(undef, undef, undef, 0.2) while 1',
]

const sandboxd = await startSandboxd()
const { drivers } = await sandboxd.connection.driver.getInfo({})
const driver = drivers.find(({ name }) => name === 'gvisor')
const unavailable = driver?.unavailableReason ?? 'sandboxd has no driver gvisor'

afterEach(() => sandboxd.clear())
afterAll(() => sandboxd[Symbol.asyncDispose]())

describe(`memory with gvisor (${unavailable === '' ? 'works on this machine' : unavailable})`, () => {
  it('reports why memory cannot be captured, or captures it', () => {
    expect(driver?.captures).toEqual(['filesystem', 'memory'])
    if (unavailable !== '') expect(unavailable).toMatch(/runsc|root|cgroup|util-linux|probe/)
  })

  describe.skipIf(unavailable !== '')('suspend and resume', () => {
    it('continues counters, open files and listening sockets in three cycles', async () => {
      const sandbox = memorySandbox(sandboxd, GVISOR)
      const { box } = sandbox
      await sandbox.run(counterProgram(8080))
      const fetchCount = async (): Promise<number | null> => {
        const { stdout, exitCode } = await box.exec(FETCH)
        return exitCode === 0 ? Number(stdout) : null
      }
      let count = await eventually(fetchCount)
      for (let cycle = 1; cycle <= 3; cycle += 1) {
        const snapshot = await sandbox.cycle()
        expect(snapshot.captured).toEqual(['filesystem', 'memory'])
        const next = await eventually(fetchCount)
        expect(next).toBeGreaterThan(count)
        count = next
      }
      const lines = (await box.exec('cat counter')).stdout.trim().split('\n').map(Number)
      // No number is missing or repeated, so the process never started again.
      expect(lines).toEqual(lines.map((_, index) => index + 1))
      expect(lines.length).toBeGreaterThanOrEqual(count)
    })

    it('boots with RESUME, and reports the exit code of the restored workload', async () => {
      const sandbox = memorySandbox(sandboxd, GVISOR)
      const script = 'echo started >>runs; while [ ! -e stop ]; do sleep 0.2; done; exit 7'
      await sandbox.run(['/bin/sh', '-c', script])
      await eventually(async () => (await sandbox.box.exec('cat runs')).stdout || null)
      const snapshot = await sandbox.checkpoint()
      expect((await sandbox.box.get()).state).toBe('Frozen')
      await sandbox.terminate()
      expect(await sandbox.resume(snapshot)).toBe('RESUME')
      expect((await sandbox.box.exec('cat runs')).stdout).toBe('started\n')
      await sandbox.box.exec('touch stop')
      expect(await sandbox.box.reaches('Exited')).toMatchObject({ exitCode: 7 })
    })

    it('gives a restored instance the new contents of its variables and volumes', async () => {
      let token = 'first'
      const sandbox = memorySandbox(sandboxd, {
        ...GVISOR,
        volumes: () => [
          {
            name: 'token',
            mountPath: '/credentials',
            content: { files: [{ path: 'token', data: Buffer.from(token) }] },
          },
        ],
      })
      await sandbox.run([
        '/bin/sh',
        '-c',
        'while :; do cat /credentials/token; echo; sleep 0.5; done',
      ])
      await eventually(async () => ((await sandbox.box.logs()).includes('first') ? true : null))
      token = 'second'
      await sandbox.cycle()
      await eventually(async () => ((await sandbox.box.logs()).includes('second') ? true : null))
      const { stdout } = await sandbox.box.exec('echo $SANDBOX_INSTANCE_ID $SANDBOX_RESTORED')
      expect(stdout).toBe('instance-2 1\n')
    })

    it('leaves the workload running after a live snapshot', async () => {
      const sandbox = memorySandbox(sandboxd, GVISOR)
      await sandbox.run(TICKING)
      const { pid } = await sandbox.box.get()
      for (const _ of ['first', 'second']) {
        await sandbox.checkpoint({ leaveRunning: true })
        const { length } = await sandbox.box.logs()
        await eventually(async () => ((await sandbox.box.logs()).length > length ? true : null))
        expect(await sandbox.box.get()).toMatchObject({ state: 'Running', pid })
      }
    })

    it('keeps a frozen workload frozen after a live snapshot, and continues it when thawed', async () => {
      const sandbox = memorySandbox(sandboxd, GVISOR)
      const { key } = sandbox.box
      await sandbox.run(TICKING)
      await sandboxd.connection.runtime.freeze({ sandbox: key, fence: 1n })
      await sandbox.checkpoint({ leaveRunning: true })
      await sandbox.checkpoint({ leaveRunning: true })
      expect((await sandbox.box.get()).state).toBe('Frozen')
      await sandboxd.connection.runtime.thaw({ sandbox: key, fence: 1n })
      const { length } = await sandbox.box.logs()
      await eventually(async () => ((await sandbox.box.logs()).length > length ? true : null))
    })

    it('rejects a truncated image as corrupt and starts nothing', async () => {
      const sandbox = memorySandbox(sandboxd, GVISOR)
      await sandbox.run(TICKING)
      const snapshot = await sandbox.checkpoint()
      await sandbox.terminate()
      await truncateArchive(sandboxd.directory, snapshot.snapshotUid)
      await expect(sandbox.resume(snapshot)).rejects.toMatchObject({
        code: 'DATA_LOSS',
        reason: 'SnapshotCorrupt',
      })
      expect((await sandbox.box.get()).state).toBe('Exited')
    })

    it('refuses to capture the memory of another class', async () => {
      const other = memorySandbox(sandboxd, { driver: 'gvisor' })
      await other.run(TICKING)
      await expect(other.checkpoint()).rejects.toMatchObject({
        code: 'FAILED_PRECONDITION',
        reason: 'Incompatible',
        message: expect.stringContaining('set runtimeClassName to gvisor'),
      })
      expect((await other.box.get()).state).toBe('Running')
      const unsuitable = memorySandbox(sandboxd, { isolationClass: 'gvisor' })
      await unsuitable.run(TICKING)
      await expect(unsuitable.checkpoint()).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' })
      expect((await unsuitable.box.get()).state).toBe('Running')
    })

    it('encrypts memory with the key of the namespace', async () => {
      const key = Buffer.alloc(32, 7).toString('base64')
      await using runtime = await startSandboxd({ env: { SANDBOX_ENCRYPTION_KEYS: `k1:${key}` } })
      const find = async (archive: string): Promise<Buffer> => {
        const directory = path.join(runtime.directory, 'snapshots')
        const names = await readdir(directory, { recursive: true })
        return readFile(path.join(directory, names.find((each) => each.includes(archive)) ?? ''))
      }
      const sandbox = memorySandbox(runtime, GVISOR)
      await sandbox.run(counterProgram(8080))
      await eventually(async () => ((await sandbox.box.exec(FETCH)).exitCode === 0 ? true : null))
      const snapshot = await sandbox.checkpoint()
      expect((await find('memory.tar')).subarray(0, 8).toString()).toBe('FLSBXAE1')
      await sandbox.terminate()
      expect(await sandbox.resume(snapshot)).toBe('RESUME')
      await eventually(async () => ((await sandbox.box.exec(FETCH)).exitCode === 0 ? true : null))
    })

    it('continues a workload whose memory could not be stored', async () => {
      const store = await startHoldingStore()
      const sandbox = memorySandbox(sandboxd, { ...GVISOR, ...store })
      await sandbox.run(TICKING)
      const uploaded = store.upload()
      const capture = sandbox.checkpoint().then(() => 'captured', errorMessage)
      expect(await Promise.race([uploaded, capture])).toBe('uploading')
      await store[Symbol.asyncDispose]()
      expect(await capture).toContain('S3 is unreachable')
      const { length } = await sandbox.box.logs()
      await eventually(async () => ((await sandbox.box.logs()).length > length ? true : null))
      expect((await sandbox.box.get()).state).toBe('Running')
    })

    for (const leaveRunning of [true, false]) {
      const what = leaveRunning ? 'a live snapshot' : 'a suspension'
      it(`continues a workload whose runtime was killed during ${what}`, async () => {
        await using store = await startHoldingStore()
        await using runtime = await startSandboxd()
        const sandbox = memorySandbox(runtime, { ...GVISOR, ...store })
        await sandbox.run(counterProgram(8080))
        await eventually(async () => ((await sandbox.box.exec(FETCH)).exitCode === 0 ? true : null))
        const uploaded = store.upload()
        const capture = sandbox.checkpoint({ leaveRunning }).then(() => 'captured', errorMessage)
        expect(await Promise.race([uploaded, capture])).toBe('uploading')
        await killAndRestart(runtime)
        await capture
        const { length } = await sandbox.box.logs()
        await eventually(async () => ((await sandbox.box.logs()).length > length ? true : null))
        const lines = (await sandbox.box.logs()).trim().split('\n').slice(1).map(Number)
        expect(lines).toEqual(lines.map((_, index) => index + 1))
      })
    }

    it('starts nothing if runsc cannot restore the memory, and restores it later', async () => {
      const sandbox = memorySandbox(sandboxd, GVISOR)
      await sandbox.run(['/bin/sh', '-c', 'echo started >>runs; sleep 1000'])
      await eventually(async () => (await sandbox.box.exec('cat runs')).stdout || null)
      const snapshot = await sandbox.checkpoint()
      await sandbox.terminate()
      const { uid } = sandbox.box.key
      const images = path.join(sandboxd.directory, 'sandboxes', uid, '.memory/restored/memory')
      const damage = () => truncate(path.join(images, 'checkpoint.img'), 1000)
      await expect(sandbox.resume(snapshot, damage)).rejects.toMatchObject({
        code: 'INTERNAL',
        message: expect.stringContaining('runsc could not restore the memory'),
      })
      expect(await sandbox.resume(snapshot)).toBe('RESUME')
      expect((await sandbox.box.exec('cat runs')).stdout).toBe('started\n')
    })

    it('finds a restored workload again after a kill of the runtime', async () => {
      await using runtime = await startSandboxd()
      const sandbox = memorySandbox(runtime, GVISOR)
      await sandbox.run(TICKING)
      await sandbox.cycle()
      const { pid } = await sandbox.box.get()
      await killAndRestart(runtime)
      expect(await sandbox.box.get()).toMatchObject({ state: 'Running', pid })
      await sandbox.cycle()
      expect((await sandbox.box.get()).state).toBe('Running')
    })
  })
})

async function killAndRestart(runtime: TestSandboxd): Promise<void> {
  await runtime.stop('SIGKILL')
  await runtime.restart()
}
