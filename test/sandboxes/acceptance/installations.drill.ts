import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'
import { poll } from '../support/poll.ts'
import { waitForConditions } from '../support/sandbox-conditions.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'

let sandboxd: TestSandboxd
let runtime: string
let database: TestDatabase
let copy: TestDatabase | null = null
let first: TestServer
/** The server of the copied database, and that of an empty one. */
const others: TestServer[] = []

beforeAll(async () => {
  sandboxd = await startSandboxd()
  runtime = (await sandboxd.connection.runtime.getRuntimeInfo({})).id
  database = await createTestDatabase()
  first = await start(database.url)
  await register(first)
})

afterAll(async () => {
  for (const server of [first, ...others]) await server[Symbol.asyncDispose]()
  await sandboxd[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await copy?.[Symbol.asyncDispose]()
})

const start = (databaseUrl: string) =>
  startTestServer({ databaseUrl, env: { ROLE: 'all', SANDBOX_RUNTIME: 'off' } })

/** The server describes the runtime, which has no other server. */
const register = ({ origin }: TestServer) =>
  sandboxApi(origin).create({
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: runtime },
    spec: { endpoint: sandboxd.endpoint },
  })

const waitFor = ({ origin }: TestServer, name: string, ...conditions: readonly string[]) =>
  waitForConditions(() => sandboxApi(origin).getSandbox(name), ...conditions)

/** Waits for the condition `Ready` of the runtime, and returns its message. */
async function readiness({ origin }: TestServer, status: string): Promise<string> {
  interface Condition {
    readonly type: string
    readonly status: string
    readonly reason: string
    readonly message: string
  }
  const read = async (): Promise<Condition | undefined> => {
    const { body } = await sandboxApi(origin).call('GET', `${RUNTIMES}/${runtime}`)
    return body.status?.conditions?.find(({ type }: Condition) => type === 'Ready')
  }
  const found = await poll('Ready', read, (condition) => condition?.status === status)
  return found?.message ?? ''
}

/** The pid of each running instance, by the name of its sandbox. */
async function running(): Promise<Readonly<Record<string, number>>> {
  const pids: Record<string, number> = {}
  for await (const { sandbox, state, pid } of sandboxd.connection.runtime.listInstances({})) {
    if (state === 'Running') pids[sandbox?.name ?? ''] = Number(pid)
  }
  return pids
}

test('A restored backup beside its original neither ends nor doubles instances, and says why.', async () => {
  await readiness(first, 'True')
  await sandboxApi(first.origin).createSandbox('kept', {})
  await waitFor(first, 'kept', 'Ready=True')
  await first[Symbol.asyncDispose]()
  copy = await createTestDatabase('embedded', { template: database.name })
  first = await start(database.url)
  await sandboxApi(first.origin).createSandbox('later', {})
  await waitFor(first, 'later', 'Ready=True')
  const before = await running()
  expect(Object.keys(before).toSorted()).toEqual(['kept', 'later'])

  const restored = await start(copy.url)
  others.push(restored)
  expect(await readiness(restored, 'False')).toContain('separate-a-copy')
  // If its start took long, the restored server first says that the lease has ended.
  const message = async (): Promise<string> => {
    const { body } = await waitFor(restored, 'kept', 'Ready=False/RuntimeUnreachable')
    return JSON.stringify(body.status.conditions)
  }
  await poll('the reason', message, (text) => text.includes('rejects this server: a server of'))
  await waitFor(first, 'kept', 'Ready=True')
  expect(await running()).toEqual(before)
})

test('Another installation starts nothing on the runtime, and says why.', async () => {
  const before = await running()
  const { url, ...owned } = await createTestDatabase()
  const foreign = await start(url)
  try {
    await register(foreign)
    expect(await readiness(foreign, 'False')).toContain('Give each installation its own runtime')
    // The controllers may see the condition of the runtime after the first sandbox.
    const api = sandboxApi(foreign.origin)
    let count = 0
    const message = async (): Promise<string> => {
      count += 1
      await api.createSandbox(`box-${count}`, {})
      const { body } = await waitFor(foreign, `box-${count}`, 'Ready=False')
      return JSON.stringify(body.status.conditions)
    }
    await poll('the message', message, (text) => text.includes('rejects this server: the inst'))
    expect(await running()).toEqual(before)
  } finally {
    await foreign[Symbol.asyncDispose]()
    await owned[Symbol.asyncDispose]()
  }
})

test('The restored backup replaces the original 10 s after its end.', async () => {
  const before = await running()
  await first[Symbol.asyncDispose]()
  const [restored] = others
  if (restored === undefined) throw new Error('the first test has failed')
  await readiness(restored, 'True')
  await waitFor(restored, 'kept', 'Ready=True')
  // The sandbox that the backup lacks.
  await poll('the instances', running, (pids) => !('later' in pids))
  expect(await running()).toEqual({ kept: before['kept'] })
})
