import { copyFile, rm, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { counterProgram } from '../support/counter-program.ts'
import { truncateArchive } from '../support/truncate-archive.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'
import { eventually, memorySandbox } from '../support/memory-sandbox.ts'

/** Keeps 40 MB of random bytes and their digest, and compares both with every tick of a timer. */
const NODE_PROGRAM = `
const { createHash, randomBytes } = require('node:crypto')
const bytes = randomBytes(40_000_000)
const digest = () => createHash('sha256').update(bytes).digest('hex')
const expected = digest()
const started = performance.now()
let ticks = 0
setInterval(() => {
  ticks += 1
  const drift = Math.abs(performance.now() - started) / ticks
  console.log(JSON.stringify({ ticks, expected, equal: digest() === expected, drift }))
}, 50)
`

const sandboxd = await startSandboxd()
const { drivers } = await sandboxd.connection.driver.getInfo({})
const driver = drivers.find(({ name }) => name === 'process-criu')
const unavailable = driver?.unavailableReason ?? 'sandboxd has no driver process-criu'

afterEach(() => sandboxd.clear())
afterAll(() => sandboxd[Symbol.asyncDispose]())

describe(`criu (${unavailable === '' ? 'works on this machine' : unavailable})`, () => {
  it('reports why memory cannot be captured, or captures it', () => {
    expect(driver?.captures).toEqual(['filesystem', 'memory'])
    if (unavailable !== '') expect(unavailable).toMatch(/criu|root|cgroup|util-linux/)
  })

  describe.skipIf(process.getuid?.() !== 0)('without root', () => {
    let ordinary: TestSandboxd
    beforeAll(async () => {
      ordinary = await startSandboxd({ user: 54_322 })
    })
    afterAll(() => ordinary[Symbol.asyncDispose]())

    it('reports that the runtime must run as root', async () => {
      const info = await ordinary.connection.driver.getInfo({})
      const found = info.drivers.find(({ name }) => name === 'process-criu')
      expect(found?.unavailableReason).toBe('the runtime must run as root')
    })
  })

  describe.skipIf(unavailable !== '')('suspend and resume', () => {
    it('continues counters, timers, open files and listening sockets in five cycles', async () => {
      const sandbox = memorySandbox(sandboxd)
      const { box } = sandbox
      await sandbox.run(counterProgram(0))
      const port = await eventually(async () => Number.parseInt(await box.logs(), 10) || null)
      let count = await eventually(() => fetchCount(port))
      for (let cycle = 1; cycle <= 5; cycle += 1) {
        await sandbox.cycle()
        const next = await eventually(() => fetchCount(port))
        expect(next).toBeGreaterThanOrEqual(count)
        count = next
      }
      const { stdout } = await box.exec('cat counter')
      const lines = stdout.trim().split('\n').map(Number)
      // No number is missing or repeated, so the process never started again.
      expect(lines).toEqual(lines.map((_, index) => index + 1))
      expect(lines.length).toBeGreaterThanOrEqual(count)
    })

    it('continues a Node program with 40 MB of memory', async () => {
      const sandbox = memorySandbox(sandboxd)
      await sandbox.run([process.execPath, '-e', NODE_PROGRAM])
      const reports = async () => readReports(await sandbox.box.logs())
      await eventually(async () => ((await reports()).length > 2 ? true : null))
      const snapshot = await sandbox.cycle()
      expect(snapshot.captured).toEqual(['filesystem', 'memory'])
      expect(snapshot.sizeBytes).toBeGreaterThan(40_000_000n)
      const [before] = readReports(await sandbox.box.logs({ previous: true })).slice(-1)
      const after = await eventually(async () => (await reports())[2] ?? null)
      expect(after).toMatchObject({ expected: before?.expected, equal: true })
      expect(after.ticks).toBeGreaterThan(before?.ticks ?? Infinity)
    })

    it('boots with RESUME and does not run the command again', async () => {
      const sandbox = memorySandbox(sandboxd)
      await sandbox.run(['/bin/sh', '-c', 'echo started >>runs; while :; do sleep 1; done'])
      await eventually(async () => (await sandbox.box.exec('cat runs')).stdout || null)
      const snapshot = await sandbox.checkpoint()
      await sandbox.terminate()
      expect(await sandbox.resume(snapshot)).toBe('RESUME')
      expect((await sandbox.box.exec('cat runs')).stdout).toBe('started\n')
    })

    it('reports the exit code of a restored workload', async () => {
      const sandbox = memorySandbox(sandboxd)
      await sandbox.run(['/bin/sh', '-c', 'while [ ! -e stop ]; do sleep 0.05; done; exit 7'])
      await sandbox.cycle()
      await sandbox.box.exec('touch stop')
      expect(await sandbox.box.reaches('Exited')).toMatchObject({ exitCode: 7 })
    })

    it('finds a restored workload again after a restart of the runtime', async () => {
      await using runtime = await startSandboxd()
      const sandbox = memorySandbox(runtime)
      await sandbox.run(['/bin/sh', '-c', 'while :; do sleep 0.05; done'])
      await sandbox.cycle()
      const { pid } = await sandbox.box.get()
      await runtime.stop('SIGKILL')
      await runtime.restart()
      expect(await sandbox.box.get()).toMatchObject({ state: 'Running', pid })
      await sandbox.cycle()
      expect((await sandbox.box.get()).state).toBe('Running')
    })

    it('leaves the workload running after a live snapshot', async () => {
      const sandbox = memorySandbox(sandboxd)
      await sandbox.run(['/bin/sh', '-c', 'while :; do echo tick; sleep 0.02; done'])
      await sandbox.checkpoint({ leaveRunning: true })
      expect((await sandbox.box.get()).state).toBe('Running')
      const { length } = await sandbox.box.logs()
      await eventually(async () => ((await sandbox.box.logs()).length > length ? true : null))
    })

    it('rejects a truncated image as corrupt and starts nothing', async () => {
      const sandbox = memorySandbox(sandboxd)
      await sandbox.run(['/bin/sh', '-c', 'while :; do sleep 0.05; done'])
      const snapshot = await sandbox.checkpoint()
      await sandbox.terminate()
      await truncateArchive(sandboxd.directory, snapshot.snapshotUid)
      await expect(sandbox.resume(snapshot)).rejects.toMatchObject({
        code: 'DATA_LOSS',
        reason: 'SnapshotCorrupt',
      })
      expect((await sandbox.box.get()).state).toBe('Exited')
    })

    it('refuses memory whose program has changed', async () => {
      const program = path.join(os.tmpdir(), `shell-${process.pid}`)
      await copyFile('/bin/sh', program)
      try {
        const sandbox = memorySandbox(sandboxd)
        await sandbox.run([program, '-c', 'echo started; while :; do sleep 1; done'])
        await eventually(async () => (await sandbox.box.logs()) || null)
        const snapshot = await sandbox.checkpoint()
        await sandbox.terminate()
        await utimes(program, new Date(), new Date(0))
        await expect(sandbox.resume(snapshot)).rejects.toMatchObject({
          code: 'FAILED_PRECONDITION',
          reason: 'Incompatible',
          message: expect.stringContaining(program),
        })
      } finally {
        await rm(program)
      }
    })
  })
})

async function fetchCount(port: number): Promise<number | null> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2000) })
  return response.ok ? Number(await response.text()) : null
}

interface Report {
  readonly ticks: number
  readonly expected: string
  readonly equal: boolean
}

function readReports(logs: string): readonly Report[] {
  const lines = logs.trim().split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Report)
}
