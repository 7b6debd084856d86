import { afterEach, beforeEach, expect, it } from 'vitest'
import { errorMessage } from '../../../src/lib/error-message.ts'
import { type HoldingStore, startHoldingStore } from '../support/holding-store.ts'
import { poll } from '../support/poll.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_323
const USERS = IS_ROOT ? [undefined, ORDINARY_USER] : [undefined]
const TICKING = 'while :; do echo tick; sleep 0.02; done'

let store: HoldingStore
beforeEach(async () => {
  store = await startHoldingStore()
})
afterEach(() => store[Symbol.asyncDispose]())

/** Starts a capture, and kills the runtime when the instance is frozen. */
async function killDuringCapture(
  sandboxd: TestSandboxd,
  { key }: RuntimeSandbox,
  leaveRunning: boolean,
): Promise<void> {
  const uploaded = store.upload()
  const { parameters, secrets } = store
  const sandbox = { ...key, installation: 'test' }
  const request = { sandbox, fence: 1n, driver: 'process', parameters, secrets }
  const capture = sandboxd.connection.driver
    .checkpoint({ ...request, snapshotUid: 'snap', operationId: 'capture', leaveRunning })
    .then(
      () => 'captured',
      (error: unknown) => errorMessage(error),
    )
  expect(await Promise.race([uploaded, capture])).toBe('uploading')
  await sandboxd.stop('SIGKILL')
  expect(await capture).not.toBe('captured')
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

for (const user of USERS) {
  for (const leaveRunning of [true, false]) {
    const what = leaveRunning ? 'a live snapshot' : 'a suspension'
    it(`thaws a workload whose runtime was killed during ${what} (user ${user ?? 'own'})`, async () => {
      await using sandboxd = await startSandboxd({ ...(user !== undefined && { user }) })
      const box = runtimeSandbox(() => sandboxd.connection)
      await box.start('one', TICKING)
      await expectProgress(box)
      await killDuringCapture(sandboxd, box, leaveRunning)
      await sandboxd.restart()
      await expectProgress(box)
      expect(await box.get()).toMatchObject({ instanceId: 'one', state: 'Running' })
    })
  }
}

it('leaves an instance frozen that was frozen before the killed capture', async ({ skip }) => {
  await using sandboxd = await startSandboxd()
  const { runtime } = sandboxd.connection
  if (!(await runtime.getRuntimeInfo({})).freezes) skip('the machine cannot freeze')
  const box = runtimeSandbox(() => sandboxd.connection)
  await box.start('one', TICKING)
  await runtime.freeze({ sandbox: box.key, fence: 1n })
  await killDuringCapture(sandboxd, box, true)
  await sandboxd.restart()
  expect((await box.get()).state).toBe('Frozen')
})
