import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_322
const USERS = IS_ROOT ? [undefined, ORDINARY_USER] : [undefined]
const MIB = 1_048_576n

const NODE = [process.execPath, '-e']
/** A program that allocates this many times 10 MB, touches each page, and then prints the number. */
const allocate = (count: number): string =>
  `parts = Array.from({ length: ${count} }, () => Buffer.alloc(1e7, 1)); ` +
  'console.log("allocated", parts.length)'

describe.each(
  USERS.map((user) => ({ user, name: user === undefined ? 'the own' : 'an ordinary' })),
)('limits of $name user', ({ user }) => {
  let sandboxd: TestSandboxd
  beforeAll(async () => {
    sandboxd = await startSandboxd(user === undefined ? {} : { user })
  })
  afterAll(() => sandboxd[Symbol.asyncDispose]())

  const sandbox = () => runtimeSandbox(() => sandboxd.connection)
  const scopeOf = async (resource: string) => {
    const { limitScopes } = await sandboxd.connection.runtime.getRuntimeInfo({})
    return limitScopes.find(({ name }) => name === resource)?.scope
  }

  it('limits the memory of commands beside the workload', async () => {
    const box = sandbox()
    await box.start('one', 'sleep 60', {
      workload: { command: ['sleep', '60'], limits: { memoryBytes: 200n * MIB } },
    })
    const { stdout, exitCode } = await box.exec(`exec ${NODE.join(' ')} '${allocate(40)}'`)
    expect(stdout).not.toContain('allocated')
    expect(exitCode).not.toBe(0)
    expect((await box.exec('echo works')).stdout).toBe('works\n')
  })

  it('limits the memory of all processes together if the machine can', async ({ skip }) => {
    const scope = await scopeOf('memory')
    if (scope !== 'sandbox') return skip(`the machine limits memory by ${scope}`)
    const box = sandbox()
    const holder = `${allocate(11)}; setInterval(() => {}, 1000)`
    await box.start('one', '', {
      workload: { command: NODE, args: [holder], limits: { memoryBytes: 220n * MIB } },
    })
    await expect.poll(() => box.logs()).toContain('allocated 11')
    // Each of both fits. The kernel ends one of them.
    const { exitCode } = await box.exec(`exec ${NODE.join(' ')} '${allocate(11)}'`)
    const { state } = exitCode === 0 ? await box.reaches('Exited') : await box.get()
    expect([exitCode, state]).not.toEqual([0, 'Running'])
  })

  it('limits the number of processes if the machine can', async ({ skip }) => {
    const scope = await scopeOf('processes')
    if (scope === 'none') return skip('the machine cannot limit processes')
    const box = sandbox()
    await box.start('one', 'sleep 60', {
      workload: { command: ['sleep', '60'], limits: { maxProcesses: 20n } },
    })
    const { stdout, stderr } = await box.exec(
      'i=0; while [ $i -lt 40 ]; do sleep 1 & i=$((i+1)); done; echo all; kill $(jobs -p)',
    )
    expect(stderr).toMatch(/fork/i)
    expect(stdout).not.toContain('all')
  })

  it('limits the processor time if the machine can', async ({ skip }) => {
    const scope = await scopeOf('cpu')
    if (scope !== 'sandbox') return skip('the machine cannot limit the processor time')
    const box = sandbox()
    await box.start('one', 'sleep 60', {
      workload: { command: ['sleep', '60'], limits: { cpuMillis: 100n } },
    })
    // Busy for 2 s, of which the process may use a tenth.
    const { stdout } = await box.exec(
      `exec ${process.execPath} -e "
        const end = Date.now() + 2000
        while (Date.now() < end);
        const { user, system } = process.cpuUsage()
        console.log((user + system) / 1000)"`,
    )
    expect(Number(stdout)).toBeLessThan(1000)
  })

  it('ends a workload whose files exceed the limit', async () => {
    const box = sandbox()
    // Whatever a measurement sees while this is written: more than 1 MiB is rounded up to 2 MiB.
    const fill = 'head -c 1500000 /dev/zero >a; sleep 60'
    await box.start('one', '', {
      workload: { command: ['sh', '-c', fill], limits: { diskBytes: MIB } },
    })
    const { exitCode, message } = await box.reaches('Exited')
    expect({ exitCode, message }).toEqual({
      exitCode: 137,
      message: 'its files use 2 MiB, and ephemeral-storage allows 1 MiB',
    })
  })

  it('measures directories that a workload has locked', async ({ skip }) => {
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    const { reason } = isolationClasses.find(({ name }) => name === 'bubblewrap') ?? {}
    // An ordinary user needs a user namespace for it, as for this class.
    if (reason !== '') return skip('the machine has no user namespaces')
    const box = sandbox()
    const fill = 'mkdir locked; head -c 1500000 /dev/zero >locked/a; chmod 0 locked; sleep 60'
    await box.start('one', '', {
      workload: { command: ['sh', '-c', fill], limits: { diskBytes: MIB } },
    })
    const { exitCode, message } = await box.reaches('Exited')
    expect({ exitCode, message }).toEqual({
      exitCode: 137,
      message: 'its files use 2 MiB, and ephemeral-storage allows 1 MiB',
    })
  })

  it('counts empty files, which occupy no space', async () => {
    const box = sandbox()
    const fill = 'i=0; while [ $i -lt 600 ]; do : >$i; i=$((i + 1)); done; sleep 60'
    await box.start('one', '', {
      workload: { command: ['sh', '-c', fill], limits: { diskBytes: MIB } },
    })
    const { exitCode, message } = await box.reaches('Exited')
    expect(exitCode).toBe(137)
    expect(message).toMatch(/^it has \d+ files, and ephemeral-storage of 1 MiB allows 256$/)
  })

  it('reports how the machine enforces each limit', async () => {
    const { limitScopes } = await sandboxd.connection.runtime.getRuntimeInfo({})
    expect(limitScopes.map(({ name }) => name)).toEqual([
      'cpu',
      'memory',
      'processes',
      'files',
      'ephemeral-storage',
    ])
    for (const { scope, reason } of limitScopes) {
      expect(['sandbox', 'process', 'none']).toContain(scope)
      if (scope !== 'sandbox') expect(reason).not.toBe('')
    }
  })
})
