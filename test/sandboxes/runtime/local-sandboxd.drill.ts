import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectRuntime } from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { socketPath } from '../../../src/sandboxes/drivers/runtime/socket-path.ts'
import { processStart } from '../../../src/lib/processes/process-start.ts'
import { serverProgram } from '../../support/server-program.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'

let directory: string
let database: TestDatabase
let servers: ChildProcess[]

/** The tests of a suite share a directory, a database and what runs there: each start takes seconds. */
function shareMachine(): void {
  beforeAll(async () => {
    directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'local-')))
    database = await createTestDatabase()
    servers = []
  })
  afterAll(async () => {
    for (const server of servers) await end(server, 'SIGKILL')
    const pid = await sandboxdPid()
    if (await isAlive(pid)) process.kill(pid, 'SIGTERM')
    while (await isAlive(pid)) await sleep(50)
    await rm(directory, { recursive: true, force: true })
    await database[Symbol.asyncDispose]()
  })
}

interface Server {
  readonly child: ChildProcess
  readonly origin: string
}

async function startServer(env: NodeJS.ProcessEnv = {}): Promise<Server> {
  const child = spawn(process.execPath, [...serverProgram()], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      SANDBOX_RUNTIME: 'local',
      SANDBOX_UNISOLATED: 'true',
      PORT: '0',
      HEALTH_PORT: '0',
      METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  servers.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const readyPort = () => /"port":(\d+).*"msg":"ready"/.exec(output)?.[1]
  await expect.poll(readyPort).toBeDefined()
  return { child, origin: `http://127.0.0.1:${readyPort()}` }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

const sandboxdDir = () => path.join(directory, 'sandboxd')

async function sandboxdPid(): Promise<number> {
  return Number.parseInt(
    await readFile(path.join(sandboxdDir(), 'managed-pid'), 'utf8').catch(() => '0'),
  )
}

async function isAlive(pid: number): Promise<boolean> {
  return pid > 0 && (await processStart(pid)) !== null
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
async function registered({ origin }: Server): Promise<any> {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  const list = async (): Promise<any[]> => {
    const response = await fetch(origin + RUNTIMES)
    return JSON.parse(await response.text()).items ?? []
  }
  await expect.poll(async () => (await list()).length).toBe(1)
  await expect.poll(async () => (await list())[0].status?.renewTime).toBeDefined()
  return (await list())[0]
}

describe('a server', () => {
  shareMachine()
  const key = Buffer.alloc(32, 7).toString('base64')
  const env = { SECRETS_ENCRYPTION_KEY: `2026:${key}` }
  let server: Server
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  let runtime: any

  it('starts sandboxd and registers it', async () => {
    server = await startServer(env)
    runtime = await registered(server)
    expect(runtime.spec.endpoint).toBe(`unix:${socketPath(sandboxdDir())}`)
    expect(runtime.spec.drivers.map(({ name }: { name: string }) => name)).toContain('process')
    expect(runtime.status.conditions).toMatchObject([
      { type: 'Ready', status: 'True' },
      { type: 'StartsSandboxes', status: 'True' },
    ])
    expect(await isAlive(await sandboxdPid())).toBe(true)
  })

  it('derives keys of snapshots from the keys of Secrets', async () => {
    const environment = await readFile(`/proc/${await sandboxdPid()}/environ`, 'utf8')
    expect(environment).toMatch(/(^|\0)SANDBOX_ENCRYPTION_KEYS=secrets-2026:[A-Za-z0-9+/]{43}=\0/)
    expect(environment).not.toContain(key)
  })

  it('finds the sandboxd of a killed server, renews the lease and stops it with its workloads', async () => {
    using connection = connectRuntime(runtime.spec.endpoint)
    const box = runtimeSandbox(() => connection)
    const { pid } = await box.start('one', 'sleep 4715')
    const sandboxd = await sandboxdPid()
    await end(server.child, 'SIGKILL')
    await sleep(200)
    const second = await startServer(env)
    await expect
      .poll(async () => (await registered(second)).status.renewTime)
      .not.toBe(runtime.status.renewTime)
    expect(await sandboxdPid()).toBe(sandboxd)
    expect(await box.get()).toMatchObject({ state: 'Running', pid })
    await end(second.child, 'SIGTERM')
    expect(await isAlive(sandboxd)).toBe(false)
    expect(await isAlive(Number(pid))).toBe(false)
  })
})

describe('a server without consent', () => {
  shareMachine()

  it('says in the status that it starts only sandboxes with a wall', async () => {
    const server = await startServer({ SANDBOX_UNISOLATED: '' })
    const { status } = await registered(server)
    const classes: readonly { readonly name: string; readonly reason?: string }[] = status.isolation
    const open = classes.find(({ name }) => name === 'process')
    expect(open).toMatchObject({ name: 'process', reason: expect.stringContaining('UNISOLATED') })
    const isOffered = classes.some(({ reason }) => reason === undefined)
    expect(status.conditions).toMatchObject([
      { type: 'Ready', status: 'True' },
      {
        type: 'StartsSandboxes',
        ...(isOffered
          ? { status: 'True', reason: 'Allowed' }
          : {
              status: 'False',
              reason: 'Unisolated',
              message: expect.stringContaining('SANDBOX_UNISOLATED=true'),
            }),
      },
    ])
    await end(server.child, 'SIGTERM')
  })
})

describe('a server whose sandboxd is lost', () => {
  shareMachine()
  let server: Server
  let endpoint: string

  it('starts it again if it was killed, and it finds its workloads', async () => {
    server = await startServer()
    endpoint = (await registered(server)).spec.endpoint
    using connection = connectRuntime(endpoint)
    const box = runtimeSandbox(() => connection)
    const { pid } = await box.start('one', 'sleep 4716')
    const killed = await sandboxdPid()
    process.kill(killed, 'SIGKILL')
    await expect
      .poll(async () => (await isAlive(killed)) || !(await isAlive(await sandboxdPid())))
      .toBe(false)
    await expect.poll(() => box.get().catch(() => null)).toMatchObject({ state: 'Running', pid })
  })

  it('replaces it if its directory was removed, and leaves no process behind', async () => {
    const started = await sandboxdPid()
    using before = connectRuntime(endpoint)
    const { pid } = await runtimeSandbox(() => before).start('one', 'sleep 4717')
    await rm(sandboxdDir(), { recursive: true, force: true })
    await expect.poll(() => isAlive(Number(pid))).toBe(false)
    await expect.poll(() => isAlive(started)).toBe(false)
    using after = connectRuntime(endpoint)
    const box = runtimeSandbox(() => after)
    await expect.poll(() => box.start('two', 'sleep 4718').catch(() => null)).not.toBeNull()
    const replacement = await sandboxdPid()
    await end(server.child, 'SIGTERM')
    expect(await isAlive(replacement)).toBe(false)
  })
})

describe('a server that stops', () => {
  shareMachine()

  it('ends the workloads of a sandboxd that was killed just before', async () => {
    const server = await startServer()
    const { spec } = await registered(server)
    using connection = connectRuntime(spec.endpoint)
    const { pid } = await runtimeSandbox(() => connection).start('one', 'sleep 4719')
    process.kill(await sandboxdPid(), 'SIGKILL')
    await end(server.child, 'SIGTERM')
    expect(await isAlive(Number(pid))).toBe(false)
    expect(await isAlive(await sandboxdPid())).toBe(false)
  })
})
