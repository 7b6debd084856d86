import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HIBERNATE, shellTemplate } from '../support/shell-sandbox.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'

let fixture: SandboxServer

beforeAll(async () => {
  fixture = await startSandboxServer()
}, 120_000)

afterAll(() => fixture[Symbol.asyncDispose]())

const MEGABYTES = 40
/** Writes data that takes a moment to capture, and counts its starts. */
const script = (marker: string) => `
  cd "$SANDBOX_WORKSPACE"
  [ -e data ] || head -c ${MEGABYTES}M /dev/urandom > data
  echo start >> starts
  exec sleep ${marker}`

describe('kill -9 of the runtime at three steps', () => {
  test.each([
    { step: 'start', marker: '4921' },
    { step: 'checkpoint', marker: '4922' },
    { step: 'restore', marker: '4923' },
  ])(
    '$step: one process, one snapshot, and the files are back',
    async ({ step, marker }) => {
      const { api, sandboxd, waitFor } = fixture
      const name = `kill-${step}`
      const killAfter = async (ms: number): Promise<void> => {
        await sleep(ms)
        await sandboxd.stop('SIGKILL')
        await sleep(500)
        await sandboxd.restart()
      }
      const { body } = await api.createSandbox(name, {
        podTemplate: shellTemplate(script(marker)),
        suspensionStrategy: HIBERNATE,
      })
      if (step === 'start') await killAfter(100)
      await waitFor(name, 'Ready=True')
      const workspace = path.join(sandboxd.directory, 'sandboxes', body.metadata.uid, 'workspace')
      const starts = async () => (await readFile(path.join(workspace, 'starts'), 'utf8')).trim()
      await expect.poll(() => starts().catch(() => ''), { timeout: 30_000 }).toBe('start')
      await expect.poll(() => processesOf(marker), { timeout: 30_000 }).toHaveLength(1)
      await api.patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
      if (step === 'checkpoint') await killAfter(300)
      await waitFor(name, 'Suspended=True/PodTerminated', 'SnapshotReady=True/Created')
      expect(await processesOf(marker)).toHaveLength(0)
      expect(await snapshotsOf(body.metadata.uid)).toHaveLength(1)
      await api.patchSandbox(name, { spec: { operatingMode: 'Running' } })
      if (step === 'restore') await killAfter(300)
      await waitFor(name, 'Ready=True', 'Restored=True/Restored')
      await expect.poll(starts, { timeout: 30_000 }).toBe('start\nstart')
      await expect.poll(() => processesOf(marker), { timeout: 30_000 }).toHaveLength(1)
    },
    180_000,
  )
})

/** The workloads with this argument. */
async function processesOf(marker: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return pids.filter((_pid, index) => commands[index] === `sleep\0${marker}\0`)
}

/** The complete snapshots of a sandbox in the store. */
async function snapshotsOf(uid: string): Promise<readonly string[]> {
  const found: string[] = []
  const snapshots = fixture.sandboxd.connection.driver.listSnapshots({
    driver: 'process',
    parameters: { store: 'local', path: `${fixture.sandboxd.directory}/snapshots` },
  })
  for await (const { sandbox, snapshotUid, complete } of snapshots) {
    if (sandbox?.uid === uid && complete) found.push(snapshotUid)
  }
  return found
}
