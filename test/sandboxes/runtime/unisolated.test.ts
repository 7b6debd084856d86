import pino from 'pino'
import { expect, it } from 'vitest'
import { describeRuntime } from '../../../src/cmd/describe-runtime.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxServer } from '../support/start-sandbox-server.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const SETTING = expect.stringContaining('SANDBOX_UNISOLATED=true')
const UNISOLATED = { type: 'Ready', status: 'False', reason: 'Unisolated', message: SETTING }
const EXTENSIONS = [
  ['SandboxWarmPool', 'sandboxTemplateRef'],
  ['SandboxClaim', 'warmPoolRef'],
] as const
/** Of root's runtimes, only this one lacks separate users. */
const ORDINARY = process.getuid?.() === 0 ? { user: 65_534 } : {}

async function instancesOf({ connection }: TestSandboxd): Promise<number> {
  let count = 0
  for await (const _instance of connection.runtime.listInstances({})) count += 1
  return count
}

it('starts no sandbox on a server that needs no token, and says why', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  await using fixture = await startSandboxServer({ env: { SANDBOX_UNISOLATED: 'false' }, log })
  const { api, waitFor, sandboxd } = fixture
  const created = await api.createSandbox('box', {})
  expect(created).toMatchObject({ status: 201, warnings: [SETTING] })
  for (const [kind, reference] of EXTENSIONS) {
    const spec = { [reference]: { name: 'any' } }
    const apiVersion = 'extensions.agents.x-k8s.io/v1beta1'
    const object = { apiVersion, kind, metadata: { name: 'box' }, spec }
    expect(await api.create(object)).toMatchObject({ status: 201, warnings: [SETTING] })
  }
  const { body } = await waitFor('box', 'Ready=False/Unisolated')
  expect(body.status.conditions).toContainEqual(expect.objectContaining(UNISOLATED))
  expect(await instancesOf(sandboxd)).toBe(0)
  await expect.poll(() => lines).toContainEqual(SETTING)
  // The sandbox can still be suspended and deleted.
  await api.patchSandbox('box', { spec: { operatingMode: 'Suspended' } })
  await waitFor('box', 'Suspended=True')
})

it('starts no sandbox on a runtime without separate users, and says why', async () => {
  await using fixture = await startSandboxServer({
    sandboxd: { ...ORDINARY, env: { SANDBOX_UNISOLATED: 'false' } },
  })
  const { api, waitFor, sandboxd } = fixture
  await api.createSandbox('box', {})
  const { body } = await waitFor('box', 'Ready=False/Unisolated')
  expect(body.status.conditions).toContainEqual(expect.objectContaining(UNISOLATED))
  expect(await instancesOf(sandboxd)).toBe(0)
})

it('the runtime itself refuses to start workloads without separate users', async () => {
  await using sandboxd = await startSandboxd({ ...ORDINARY, env: { SANDBOX_UNISOLATED: 'false' } })
  const { startProblem, isolatesUsers } = await sandboxd.connection.runtime.getRuntimeInfo({})
  expect({ startProblem, isolatesUsers }).toEqual({ startProblem: SETTING, isolatesUsers: false })
  expect(sandboxd.log()).toContain('sandboxes do not start')
  const box = runtimeSandbox(() => sandboxd.connection)
  await expect(box.start('one', 'sleep 60')).rejects.toThrow('SANDBOX_UNISOLATED=true')
})

it('registers no runtime without separate users as ready to start on a server without consent', async () => {
  await using sandboxd = await startSandboxd(ORDINARY)
  const { connection, endpoint } = sandboxd
  const problemOf = async (startsUnisolated: boolean) =>
    (await describeRuntime({ connection, endpoint, tls: null, startsUnisolated })).startProblem
  expect(await problemOf(false)).toEqual(SETTING)
  expect(await problemOf(true)).toBeNull()
})

it.runIf(process.getuid?.() === 0)('a runtime with separate users needs no consent', async () => {
  await using sandboxd = await startSandboxd({ env: { SANDBOX_UNISOLATED: 'false' } })
  expect(await sandboxd.connection.runtime.getRuntimeInfo({})).toMatchObject({ startProblem: '' })
  const box = runtimeSandbox(() => sandboxd.connection)
  await box.start('one', 'exit 0')
  await box.reaches('Exited')
})
