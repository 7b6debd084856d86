import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Program, startProgram } from '../../process/program.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'
import { poll } from '../support/poll.ts'
import { waitForConditions } from '../support/sandbox-conditions.ts'
import { HIBERNATE, shellTemplate } from '../support/shell-sandbox.ts'

const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'

let database: TestDatabase
let directories: readonly string[]
const programs: Program[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const create = (name: string) => mkdtemp(path.join(os.tmpdir(), name))
  directories = [await create('first-'), await create('second-')]
})
afterAll(async () => {
  for (const program of programs) await program[Symbol.asyncDispose]()
  for (const directory of directories) {
    const file = path.join(directory, 'sandboxd/managed-pid')
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''))
    if (pid > 1) await end(pid)
    await rm(directory, { recursive: true, force: true })
  }
  await database[Symbol.asyncDispose]()
})

/** Ends a sandboxd with its workloads. */
async function end(pid: number): Promise<void> {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(pid, signal)
    } catch {
      return false
    }
  }
  if (!send('SIGTERM')) return
  await poll(
    'the end of sandboxd',
    () => send(0),
    (isAlive) => !isAlive,
  )
}

/** Starts a server with a separate sandboxd. */
async function start(directory: string) {
  const program = startProgram({
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    ROLE: 'all',
    SANDBOX_RUNTIME: 'local',
  })
  programs.push(program)
  const { port } = await program.ready()
  return { program, api: sandboxApi(`http://127.0.0.1:${port}`) }
}

test('A sandboxd whose server was killed keeps its lease by the other server.', async () => {
  const [firstDirectory = '', secondDirectory = ''] = directories
  const first = await start(firstDirectory)
  await poll(
    'the first runtime',
    () => first.api.call('GET', RUNTIMES),
    ({ body }) => body.items.length === 1,
  )
  await first.api.create({
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'SnapshotProvider',
    metadata: { name: 'local' },
    spec: { providerType: 'process', local: { path: `${firstDirectory}/sandboxd/snapshots` } },
  })
  const spec = { podTemplate: shellTemplate('sleep 1000'), suspensionStrategy: HIBERNATE }
  await first.api.createSandbox('running', spec)
  await first.api.createSandbox('suspended', spec)
  const get = (api: typeof first.api, name: string) => () => api.getSandbox(name)
  const before = await waitForConditions(get(first.api, 'running'), 'Ready=True')
  await waitForConditions(get(first.api, 'suspended'), 'Ready=True')
  await first.api.patchSandbox('suspended', { spec: { operatingMode: 'Suspended' } })
  await waitForConditions(get(first.api, 'suspended'), 'Suspended=True/PodTerminated')

  const { api } = await start(secondDirectory)
  await poll(
    'both runtimes',
    () => api.call('GET', RUNTIMES),
    ({ body }) => body.items.length === 2,
  )
  const { runtime, instance } = before.body.status
  first.program.kill('SIGKILL')
  await first.program.exited
  const renewTime = async (): Promise<string> =>
    (await api.call('GET', `${RUNTIMES}/${runtime}`)).body.status.renewTime
  const last = await renewTime()
  await poll('the next renewal', renewTime, (time) => time > last)
  await api.patchSandbox('suspended', { spec: { operatingMode: 'Running' } })
  const resumed = await waitForConditions(get(api, 'suspended'), 'Ready=True')
  expect(resumed.body.status).toMatchObject({ runtime, boot: 'RESUME_FS' })
  const { body } = await waitForConditions(get(api, 'running'), 'Ready=True')
  expect(body.status.instance).toBe(instance)
}, 180_000)
