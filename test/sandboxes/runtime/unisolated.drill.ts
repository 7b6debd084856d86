import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeRuntime } from '../../../src/sandboxes/sandboxd/describe-runtime.ts'
import { POD_TEMPLATE } from '../kinds/sandbox-api.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxServer } from '../support/start-sandbox-server.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const SETTING = expect.stringContaining('SANDBOX_UNISOLATED=true')
const UNISOLATED = { type: 'Ready', status: 'False', reason: 'Unisolated', message: SETTING }
const WITHOUT_CONSENT = { env: { SANDBOX_UNISOLATED: 'false' } }
const RUNTIME = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes/local'

/** The spec of a sandbox of an isolation class. */
function withClass(runtimeClassName: string): object {
  return { podTemplate: { spec: { ...POD_TEMPLATE.spec, runtimeClassName } } }
}

async function instancesOf({ connection }: TestSandboxd): Promise<number> {
  let count = 0
  for await (const _instance of connection.runtime.listInstances({})) count += 1
  return count
}

let open: TestSandboxd
let strict: TestSandboxd
beforeAll(async () => {
  ;[open, strict] = await Promise.all([startSandboxd(), startSandboxd(WITHOUT_CONSENT)])
})
afterEach(() => Promise.all([open.clear(), strict.clear()]))
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await strict[Symbol.asyncDispose]()
})

it('starts no sandbox without a wall on a server that needs no token, and says why', async () => {
  await using fixture = await startSandboxServer({ ...WITHOUT_CONSENT, sandboxd: open })
  const { api, waitFor, sandboxd } = fixture
  const created = await api.createSandbox('box', withClass('process'))
  expect(created).toMatchObject({ status: 201, warnings: [SETTING] })
  const { body } = await waitFor('box', 'Ready=False/Unisolated')
  expect(body.status.conditions).toContainEqual(expect.objectContaining(UNISOLATED))
  expect(await instancesOf(sandboxd)).toBe(0)
  // The sandbox can still be suspended and deleted.
  await api.patchSandbox('box', { spec: { operatingMode: 'Suspended' } })
  await waitFor('box', 'Suspended=True')
})

it('warns of sandboxes without a wall also if the server starts them', async () => {
  await using fixture = await startSandboxServer({ sandboxd: open })
  const created = await fixture.api.createSandbox('box', withClass('process'))
  expect(created.warnings).toEqual([expect.stringContaining('no wall')])
  await fixture.waitFor('box', 'Ready=True')
})

it('starts no sandbox without a wall on a runtime without consent, and says why', async () => {
  await using fixture = await startSandboxServer({ sandboxd: strict })
  const { api, waitFor, sandboxd } = fixture
  await api.createSandbox('box', {})
  const { body } = await waitFor('box', 'Ready=False/Unisolated')
  expect(body.status.conditions).toContainEqual(expect.objectContaining(UNISOLATED))
  expect(await instancesOf(sandboxd)).toBe(0)
})

it('starts a sandbox with a wall on a default server, and records its class', async ({ skip }) => {
  await using fixture = await startSandboxServer({ ...WITHOUT_CONSENT, sandboxd: strict })
  const { api, waitFor, sandboxd } = fixture
  const { connection, endpoint } = sandboxd
  const { isolation, startProblem } = await describeRuntime({
    connection,
    endpoint,
    tls: null,
    apiServer: () => Promise.resolve(null),
  })
  await api.patchStatus(RUNTIME, { isolation })
  await api.createSandbox('box', {})
  if (startProblem !== null) {
    const { body } = await waitFor('box', 'Ready=False/Unisolated')
    expect(JSON.stringify(body.status.conditions)).toContain('bubblewrap: ')
    return skip(startProblem)
  }
  const { body } = await waitFor('box', 'Ready=True')
  expect(body.status.isolationClass).toBe('bubblewrap')
  await api.createSandbox('open', withClass('process'))
  const { body: unwalled } = await waitFor('open', 'Ready=False/Unisolated')
  expect(JSON.stringify(unwalled.status.conditions)).toContain('set runtimeClassName to bubblewrap')
  await api.createSandbox('strange', withClass('kata'))
  const { body: strange } = await waitFor('strange', 'Ready=False/NoRuntime')
  expect(JSON.stringify(strange.status.conditions)).toContain(
    'No runtime offers the class \\"kata\\": no runtime knows it. Offered: bubblewrap',
  )
})

it('the runtime itself refuses to start workloads without a wall', async () => {
  const box = runtimeSandbox(() => strict.connection)
  await expect(box.start('one', 'sleep 60')).rejects.toThrow('SANDBOX_UNISOLATED=true')
})
