import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorMessage } from '../../../src/lib/error-message.ts'
import { type HoldingStore, startHoldingStore } from '../support/holding-store.ts'
import { poll } from '../support/poll.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_323
const USERS = [
  { user: undefined, name: 'own' },
  ...(IS_ROOT ? [{ user: ORDINARY_USER, name: 'ordinary' }] : []),
]
const TICKING = 'while :; do echo tick; sleep 0.2; done'

let store: HoldingStore
beforeAll(async () => {
  store = await startHoldingStore()
})
afterAll(() => store[Symbol.asyncDispose]())

interface Capture {
  readonly box: RuntimeSandbox
  readonly leaveRunning: boolean
}

/** Starts captures, and kills the runtime when all instances are frozen. */
async function killDuringCaptures(
  sandboxd: TestSandboxd,
  captures: readonly Capture[],
): Promise<void> {
  const results: Promise<string>[] = []
  for (const { box, leaveRunning } of captures) {
    const uploaded = store.upload(box.key.uid)
    const { parameters, secrets } = store
    const sandbox = { ...box.key, installation: 'test' }
    const request = { sandbox, fence: 1n, driver: 'process', parameters, secrets }
    const capture = sandboxd.connection.driver
      .checkpoint({ ...request, snapshotUid: 'snap', operationId: sandbox.uid, leaveRunning })
      .then(
        () => 'captured',
        (error: unknown) => errorMessage(error),
      )
    expect(await Promise.race([uploaded, capture])).toBe('uploading')
    results.push(capture)
  }
  await sandboxd.stop('SIGKILL')
  expect(await Promise.all(results)).not.toContain('captured')
}

/** Waits until the workload has written more lines than before. */
async function expectProgress(box: RuntimeSandbox): Promise<void> {
  const before = (await box.logs()).length
  await poll(
    'the log',
    async () => (await box.logs()).length,
    (length) => length > before,
  )
}

describe.each(USERS)('a runtime that was killed during captures (user $name)', ({ user }) => {
  let sandboxd: TestSandboxd
  let freezes: boolean
  const sandbox = (): RuntimeSandbox => runtimeSandbox(() => sandboxd.connection)
  const [live, suspended, frozen] = [sandbox(), sandbox(), sandbox()]
  beforeAll(async () => {
    sandboxd = await startSandboxd({ ...(user !== undefined && { user }) })
    const { runtime } = sandboxd.connection
    ;({ freezes } = await runtime.getRuntimeInfo({}))
    for (const box of [live, suspended, frozen]) await box.start('one', TICKING)
    await Promise.all([live, suspended].map(expectProgress))
    if (freezes) await runtime.freeze({ sandbox: frozen.key, fence: 1n })
    await killDuringCaptures(sandboxd, [
      { box: live, leaveRunning: true },
      { box: suspended, leaveRunning: false },
      ...(freezes ? [{ box: frozen, leaveRunning: true }] : []),
    ])
    await sandboxd.restart()
  })
  afterAll(() => sandboxd[Symbol.asyncDispose]())

  it.each([
    { what: 'a live snapshot', box: live },
    { what: 'a suspension', box: suspended },
  ])('thaws the workload of $what', async ({ box }) => {
    await expectProgress(box)
    expect(await box.get()).toMatchObject({ instanceId: 'one', state: 'Running' })
  })

  it('leaves an instance frozen that was frozen before the capture', async ({ skip }) => {
    if (!freezes) skip('the machine cannot freeze')
    expect((await frozen.get()).state).toBe('Frozen')
  })
})
