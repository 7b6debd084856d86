import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimApi } from '../claims/claim-api.ts'
import { poll } from '../support/poll.ts'
import { HIBERNATE, shellTemplate } from '../support/shell-sandbox.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'
import { conditionOf } from './snapshot-fixture.ts'

const TIMEOUT = 120_000
const WAIT = { timeout: 90_000, interval: 250 }
const SCRIPT = 'test -e note || echo origin > note; while :; do sleep 1; done'

let fixture: SandboxServer
let api: ReturnType<typeof claimApi>

beforeAll(async () => {
  fixture = await startSandboxServer({
    config: { snapshotSweepInterval: 1, snapshotOrphanGrace: 2 },
  })
  api = claimApi(fixture.server.origin)
}, TIMEOUT)
afterAll(() => fixture[Symbol.asyncDispose]())

async function createSandbox(name: string, policy: object = {}): Promise<void> {
  await api.createSandbox(name, {
    podTemplate: shellTemplate(SCRIPT),
    suspensionStrategy: HIBERNATE,
    snapshotPolicy: policy,
  })
  await fixture.waitFor(name, 'Ready=True')
}

async function takeSnapshot(sandbox: string): Promise<string> {
  const { status, body } = await api.call('POST', `${api.sandboxPath(sandbox)}/snapshots`, {})
  expect([status, body?.message]).toEqual([201, undefined])
  const { name } = body.metadata
  const phase = async () => (await api.get(api.snapshotPath(name))).body.status?.phase
  await poll(`the snapshot ${name}`, phase, (text) => text === 'Ready')
  return name
}

async function run(sandbox: string, ...command: readonly string[]): Promise<string> {
  const url = `${fixture.server.origin}${api.sandboxPath(sandbox)}/exec`
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ command }) })
  const lines = (await response.text()).trim().split('\n')
  const data = lines.map((line): { data?: string } => JSON.parse(line))
  return data.map((line) => Buffer.from(line.data ?? '', 'base64').toString('utf8')).join('')
}

/** The directories of the snapshots of a sandbox in the store. */
async function storedOf(sandbox: string): Promise<readonly string[]> {
  const { body } = await api.getSandbox(sandbox)
  const root = path.join(fixture.sandboxd.directory, 'snapshots')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && entry.parentPath.endsWith(body.metadata.uid))
    .map(({ parentPath, name }) => path.join(parentPath, name))
}

describe('with a real runtime', () => {
  test(
    'live snapshots leave the workload running, and only the newest stay',
    async () => {
      await createSandbox('live', { keepLast: 2 })
      const taken: string[] = []
      for (let count = 0; count < 4; count += 1) taken.push(await takeSnapshot('live'))
      await expect
        .poll(
          async () => (await api.names('snapshots')).filter((name) => taken.includes(name)),
          WAIT,
        )
        .toHaveLength(2)
      await expect.poll(() => storedOf('live'), WAIT).toHaveLength(2)
      expect(await run('live', 'cat', 'note')).toBe('origin\n')
    },
    TIMEOUT,
  )

  test(
    'forks begin with the files of their source, and change their own copies',
    async () => {
      await createSandbox('source')
      await run('source', 'sh', '-c', 'echo changed > note')
      const { body } = await api.call('POST', `${api.sandboxPath('source')}/fork`, { count: 2 })
      const names: readonly string[] = body.items.map(
        (item: { name?: string; metadata?: { name: string } }) => item.name ?? item.metadata?.name,
      )
      expect(names).toHaveLength(2)
      for (const name of names) {
        const fork = await fixture.waitFor(name, 'Ready=True')
        expect(fork.body.status.boot).toBe('FORK')
        expect(await run(name, 'cat', 'note')).toBe('changed\n')
        await run(name, 'sh', '-c', 'echo fork > note')
      }
      expect(await run('source', 'cat', 'note')).toBe('changed\n')
    },
    TIMEOUT,
  )

  test(
    'the sweeper removes the data of a Snapshot that was removed by force',
    async () => {
      await createSandbox('forced')
      await api.patchSandbox('forced', { spec: { operatingMode: 'Suspended' } })
      const { body } = await fixture.waitFor('forced', 'Suspended=True/PodTerminated')
      const { name } = body.status.snapshot
      await api.remove(api.snapshotPath(name))
      await expect.poll(() => conditionOf(api, name, 'Deleted'), WAIT).toContain('False/InUse')
      expect(await storedOf('forced')).toHaveLength(1)
      await api.merge(api.snapshotPath(name), { metadata: { finalizers: null } })
      await expect.poll(() => storedOf('forced'), WAIT).toEqual([])
    },
    TIMEOUT,
  )

  test(
    'a Snapshot whose directory is gone becomes Failed',
    async () => {
      await createSandbox('hollow')
      const name = await takeSnapshot('hollow')
      for (const directory of await storedOf('hollow')) await rm(directory, { recursive: true })
      await expect.poll(() => conditionOf(api, name, 'Ready'), WAIT).toContain('False/DataMissing')
    },
    TIMEOUT,
  )

  test(
    'a deleted sandbox takes its snapshots and their data with it',
    async () => {
      await createSandbox('mortal')
      await takeSnapshot('mortal')
      const [directory = ''] = await storedOf('mortal')
      await api.patchSandbox('mortal', { spec: { operatingMode: 'Suspended' } })
      await fixture.waitFor('mortal', 'Suspended=True/PodTerminated')
      await api.remove(api.sandboxPath('mortal'))
      await expect.poll(async () => (await api.getSandbox('mortal')).status, WAIT).toBe(404)
      await expect.poll(() => readdir(directory).catch(() => null), WAIT).toBeNull()
    },
    TIMEOUT,
  )
})
