import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Installation } from '../../../src/sandboxes/drivers/protocol/installation.ts'
import {
  connectRuntime,
  type RuntimeConnection,
} from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'

const REFUSED = { code: 'FAILED_PRECONDITION', reason: 'OtherInstallation' }
const OURS: Installation = { id: 'ours', database: '7001/1/16384' }
const COPY: Installation = { id: 'ours', database: '7001/1/16500' }
const THEIRS: Installation = { id: 'theirs', database: '7002/1/16384' }

let sandboxd: TestSandboxd
const open: RuntimeConnection[] = []

beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(async () => {
  for (const connection of open) connection[Symbol.dispose]()
  await sandboxd[Symbol.asyncDispose]()
})

/** A connection whose calls name an installation. `forgets` receives each request to read it again. */
function connect(installation: Installation, forgets: () => void = () => undefined) {
  const current = () => Promise.resolve(installation)
  const connection = connectRuntime(sandboxd.endpoint, {
    installation: { current, forget: forgets },
  })
  open.push(connection)
  return connection
}

/**
 * Begins a call that runs until the end of the test: however long that takes, others are rejected.
 * The call has begun when it sends an instance, which the runtime must have.
 */
async function beginCall({ runtime }: RuntimeConnection): Promise<void> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  await runtime.watch({}, { signal: stop.signal })[Symbol.asyncIterator]().next()
}

async function listed({ runtime }: RuntimeConnection): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { instanceId, state } of runtime.listInstances({})) {
    if (state === 'Running') ids.push(instanceId)
  }
  return ids
}

it('serves one installation, and answers others with the reason', async () => {
  const ours = connect(OURS)
  const box = runtimeSandbox(() => ours)
  const sandbox = { ...box.key, installation: OURS.id }
  await box.start('one', 'sleep 4721', { sandbox })
  await beginCall(ours)
  for (const other of [THEIRS, COPY]) {
    let forgotten = 0
    const { runtime, driver } = connect(other, () => (forgotten += 1))
    const target = { sandbox, operationId: `stray-${other.id}`, fence: 9n, instanceId: 'one' }
    await expect(runtime.terminate({ ...target, graceSeconds: 0n })).rejects.toMatchObject(REFUSED)
    await expect(runtime.remove(target)).rejects.toMatchObject(REFUSED)
    await expect(driver.delete({ driver: 'process', ...target })).rejects.toMatchObject(REFUSED)
    await expect(listed({ runtime } as RuntimeConnection)).rejects.toMatchObject(REFUSED)
    expect(forgotten).toBe(4)
    expect((await runtime.getRuntimeInfo({})).refusal).toContain('uses this runtime')
  }
  expect((await ours.runtime.getRuntimeInfo({})).refusal).toBe('')
  // A second server of the same database, also after a failover, and one of an earlier version.
  expect(await listed(connect(OURS))).toEqual(['one'])
  expect(await listed(sandboxd.connection)).toEqual(['one'])
})

it('keeps its installation when it is killed', async () => {
  await sandboxd.stop('SIGKILL')
  await sandboxd.restart()
  await expect(listed(connect(THEIRS))).rejects.toMatchObject(REFUSED)
  expect(await listed(connect(OURS))).toEqual(['one'])
})

it('repeats a call after a failover of its database', async () => {
  let database = OURS.database
  const connection = connectRuntime(sandboxd.endpoint, {
    installation: {
      current: () => Promise.resolve({ id: OURS.id, database }),
      forget: () => {
        database = '7001/2/16384'
      },
    },
  })
  open.push(connection)
  const later = connect({ id: OURS.id, database: '7001/2/16384' })
  await runtimeSandbox(() => later).start('two', 'sleep 4722')
  await beginCall(later)
  const box = runtimeSandbox(() => connection)
  await expect(connect(OURS).runtime.getInstance({ sandbox: box.key })).rejects.toMatchObject(
    REFUSED,
  )
  await expect(connection.runtime.getInstance({ sandbox: box.key })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await sandboxd.clear()
})

it('rejects an installation in another form', async () => {
  const forged = connect({ id: 'ours', database: '../../etc' })
  const invalid = { code: 'INVALID_ARGUMENT' }
  await expect(forged.runtime.getRuntimeInfo({})).rejects.toMatchObject(invalid)
  await expect(listed(forged)).rejects.toMatchObject(invalid)
})
