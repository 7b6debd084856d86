import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_321
const USERS = IS_ROOT ? [undefined, ORDINARY_USER] : [undefined]

describe.each(
  USERS.map((user) => ({ user, name: user === undefined ? 'the own' : 'an ordinary' })),
)('instances of $name user', ({ user }) => {
  let sandboxd: TestSandboxd
  const sandbox = (name?: string) => runtimeSandbox(() => sandboxd.connection, name)
  const canFreeze = async () => (await sandboxd.connection.runtime.getRuntimeInfo({})).freezes

  beforeAll(async () => {
    sandboxd = await startSandboxd(user === undefined ? {} : { user })
  })
  afterAll(() => sandboxd[Symbol.asyncDispose]())

  it('runs a command and reports its exit code and output', async () => {
    const box = sandbox()
    const started = await box.start('one', 'echo hello; echo oops >&2; exit 7')
    expect(started.instanceId).toBe('one')
    const ended = await box.reaches('Exited')
    expect(ended).toMatchObject({ exitCode: 7, exitSignal: 0 })
    expect(ended.finishedUnixMs).toBeGreaterThan(0n)
    expect(await box.logs()).toBe('hello\noops\n')
    expect(await box.logs({ tailLines: 1n })).toBe('oops\n')
  })

  it('reports the signal that ended a workload', async () => {
    const box = sandbox()
    await box.start('one', 'kill -KILL $$')
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 137, exitSignal: 9 })
  })

  it('explains a command that does not exist', async () => {
    const box = sandbox()
    await box.start('one', '', { workload: { command: ['/no/such/program'] } })
    const { exitCode, message } = await box.reaches('Exited')
    expect({ exitCode, message }).toEqual({ exitCode: 127, message: 'the command was not found' })
  })

  it('passes variables and no others, and replaces references', async () => {
    const box = sandbox()
    const { runtime } = sandboxd.connection
    await runtime.start({
      sandbox: box.key,
      instanceId: 'one',
      fence: 1n,
      workload: {
        command: ['/bin/sh', '-c', 'env; pwd; echo "arg $1"', 'sh', '$(COLOR)-$$(COLOR)-$(NONE)'],
        env: [{ name: 'COLOR', value: "it's\n$HOME" }],
        volumes: [{ name: 'my-data', mountPath: '/data' }],
      },
      restoreMetadata: { 'env.SANDBOX_RESTORED': '1' },
    })
    await box.reaches('Exited')
    const text = await box.logs()
    const { directory } = sandboxd
    const home = path.join(directory, 'sandboxes', box.key.uid, 'workspace')
    expect(text).toContain(`COLOR=it's\n$HOME\n`)
    expect(text).toContain('SANDBOX_RESTORED=1\n')
    expect(text).toContain(`SANDBOX_VOLUME_MY_DATA=${path.join(home, '../volumes/my-data')}\n`)
    expect(text).toContain(`HOME=${home}\n`)
    expect(text).toContain(`\n${home}\n`)
    expect(text).toContain("arg it's\n$HOME-$(COLOR)-$(NONE)\n")
    expect(text).not.toMatch(/^(SANDBOXD|SANDBOXD_DIR|NODE|npm_|VITEST)/m)
  })

  it('starts with empty input, no other descriptors and its own session', async () => {
    const box = sandbox()
    await box.start('one', 'cat; ls -l /proc/self/fd; grep ^NoNewPrivs /proc/self/status')
    await box.reaches('Exited')
    const text = await box.logs()
    // `ls` has the descriptor of the directory.
    const listed = text.replace(/.* -> \/proc\/.*\n/, '')
    expect([...listed.matchAll(/ (\d+) -> (\S+)/g)].map(([, fd, to]) => `${fd} ${to}`)).toEqual([
      '0 /dev/null',
      expect.stringMatching(/^1 .*output\.log$/),
      expect.stringMatching(/^2 .*output\.log$/),
    ])
    expect(text).toContain('NoNewPrivs:\t1')
  })

  it('returns the instance if a start is repeated, and rejects other arguments', async () => {
    const box = sandbox()
    const first = await box.start('one', 'sleep 60')
    expect((await box.start('one', 'sleep 60', { fence: 2n })).pid).toBe(first.pid)
    await expect(box.start('one', 'sleep 61', { fence: 2n })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    })
    await expect(box.start('two', 'sleep 60', { fence: 2n })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('instance one of the sandbox is still running'),
    })
  })

  it('rejects a stale fence, also after a restart', async () => {
    const box = sandbox()
    await box.start('one', 'sleep 60', { fence: 5n })
    const stale = { code: 'FAILED_PRECONDITION', reason: 'StaleFence' }
    const terminate = () =>
      sandboxd.connection.runtime.terminate({ sandbox: box.key, instanceId: 'one', fence: 4n })
    await expect(terminate()).rejects.toMatchObject(stale)
    await sandboxd.stop('SIGKILL')
    await sandboxd.restart()
    await expect(terminate()).rejects.toMatchObject(stale)
    expect((await box.get()).state).toBe('Running')
  })

  it('terminates with SIGTERM, then SIGKILL, and ends every process', async () => {
    const box = sandbox()
    const trapped = () => expect.poll(() => box.logs()).toContain('trapped')
    const loop = 'echo trapped; while :; do sleep 0.05; done'
    await box.start('one', `trap "echo bye; exit 3" TERM; ${loop}`)
    await trapped()
    const { runtime } = sandboxd.connection
    const ended = await runtime.terminate({ sandbox: box.key, fence: 1n, graceSeconds: 10n })
    expect(ended.instance).toMatchObject({ state: 'Exited', exitCode: 3 })
    expect(await box.logs()).toContain('bye')
    await box.start('two', `trap "" TERM; setsid sleep 4711 & ${loop}`)
    await trapped()
    const killed = await runtime.terminate({ sandbox: box.key, fence: 1n, graceSeconds: 1n })
    expect(killed.instance).toMatchObject({ state: 'Exited', exitSignal: 9 })
    expect(await isRunning('sleep\x004711')).toBe(false)
    const again = await runtime.terminate({ sandbox: box.key, instanceId: 'two', fence: 1n })
    expect(again.instance).toMatchObject({ state: 'Exited', exitSignal: 9 })
    const unknown = await runtime.terminate({ sandbox: box.key, instanceId: 'x', fence: 1n })
    expect(unknown.instance?.state).toBe('Removed')
  })

  it('ends daemons that have left the workload and its environment', async () => {
    const box = sandbox()
    const daemon = (seconds: number) =>
      `(setsid env -i sleep ${seconds} </dev/null >/dev/null 2>&1 &)`
    const left = async (...seconds: readonly number[]) => {
      const running = seconds.map((each) => isRunning(`sleep\x00${each}`))
      return (await Promise.all(running)).filter(Boolean).length
    }
    await box.start('one', `${daemon(4724)}; echo started; sleep 60`)
    await expect.poll(() => box.logs()).toBe('started\n')
    await box.exec(daemon(4725))
    await expect.poll(() => left(4724, 4725)).toBe(2)
    const { runtime } = sandboxd.connection
    await runtime.terminate({ sandbox: box.key, fence: 1n, graceSeconds: 0n })
    expect(await left(4724, 4725)).toBe(0)
    // A workload that ends by itself.
    await box.start('two', daemon(4726))
    await box.reaches('Exited')
    expect(await left(4726)).toBe(0)
  })

  it('keeps volumes and empties the workspace if the start asks for it', async () => {
    const box = sandbox()
    const volumes = [{ name: 'data', mountPath: '/data' }]
    const write = 'echo kept >$SANDBOX_VOLUME_DATA/a; echo gone >b'
    const workload = (script: string) => ({ command: ['/bin/sh', '-c', script], volumes })
    await box.start('one', '', { workload: workload(write) })
    await box.reaches('Exited')
    await box.start('two', '', { clean: true, workload: workload('cat $SANDBOX_VOLUME_DATA/a b') })
    await box.reaches('Exited')
    expect(await box.logs()).toMatch(/^kept\n.*No such file/)
    expect(await box.logs({ previous: true })).toBe('')
  })

  it('runs a command beside the workload', async () => {
    const box = sandbox()
    await box.start('one', 'sleep 60', {
      workload: {
        command: ['sleep', '60'],
        env: [{ name: 'COLOR', value: 'red' }],
      },
    })
    const result = await box.exec('cat; echo $COLOR $SHAPE; echo err >&2; exit 4', {
      stdin: Buffer.from('input '),
      env: [{ name: 'SHAPE', value: 'round' }],
    })
    expect(result).toEqual({ stdout: 'input red round\n', stderr: 'err\n', exitCode: 4 })
    await expect(box.exec('sleep 4712', { timeoutSeconds: 1n })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    })
    expect(await isRunning('sleep\x004712')).toBe(false)
  })

  it('kills a command when its client goes away', async () => {
    const box = sandbox()
    await box.start('one', 'sleep 60')
    const client = new AbortController()
    const outputs = sandboxd.connection.runtime.exec(
      { sandbox: box.key, command: ['/bin/sh', '-c', 'echo started; sleep 4713'] },
      { signal: client.signal },
    )
    await expect(
      (async () => {
        for await (const _output of outputs) client.abort()
      })(),
    ).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => isRunning('sleep\x004713')).toBe(false)
  })

  it('ends a command without its client although a process has left it', async () => {
    const box = sandbox()
    await box.start('one', 'sleep 60')
    const descriptors = async () => (await readdir(`/proc/${sandboxd.pid}/fd`)).length
    const before = await descriptors()
    const cancel = new AbortController()
    const command = ['/bin/sh', '-c', 'setsid sleep 60 & echo started']
    const request = { sandbox: box.key, command }
    const outputs = sandboxd.connection.runtime.exec(request, { signal: cancel.signal })
    const reading = (async () => {
      for await (const { output } of outputs) if (output.case === 'stdout') cancel.abort()
    })()
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(descriptors).toBeLessThanOrEqual(before)
  })

  it('freezes and thaws if the machine can, and says so if it cannot', async () => {
    const box = sandbox()
    await box.start('one', 'while :; do echo x >>ticks; sleep 0.01; done')
    const request = { sandbox: box.key, instanceId: 'one', fence: 1n }
    const { runtime } = sandboxd.connection
    if (!(await canFreeze())) {
      await expect(runtime.freeze(request)).rejects.toMatchObject({ code: 'UNIMPLEMENTED' })
      return
    }
    const ticks = path.join(sandboxd.directory, 'sandboxes', box.key.uid, 'workspace/ticks')
    await expect
      .poll(async () => (await stat(ticks).catch(() => null))?.size ?? 0)
      .toBeGreaterThan(0)
    expect((await runtime.freeze(request)).instance?.state).toBe('Frozen')
    const { size } = await stat(ticks)
    await sleep(100)
    expect((await stat(ticks)).size).toBe(size)
    expect((await box.get()).state).toBe('Frozen')
    await expect(box.exec('true')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' })
    expect((await runtime.thaw(request)).instance?.state).toBe('Running')
    await expect.poll(async () => (await stat(ticks)).size).toBeGreaterThan(size)
    await runtime.freeze(request)
    const killed = await runtime.terminate({ ...request, graceSeconds: 0n })
    expect(killed.instance?.state).toBe('Exited')
  })

  it('removes the files of a sandbox and refuses delayed starts', async () => {
    const box = sandbox()
    await box.start('one', 'sleep 60')
    const { runtime } = sandboxd.connection
    await runtime.remove({ sandbox: box.key, fence: 2n })
    await runtime.remove({ sandbox: box.key, fence: 2n })
    const directory = path.join(sandboxd.directory, 'sandboxes', box.key.uid)
    await expect(stat(directory)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(box.get()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(box.start('one', 'sleep 60')).rejects.toMatchObject({ reason: 'StaleFence' })
    await expect(box.start('two', 'sleep 60', { fence: 3n })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
    })
  })

  it('rejects names that would leave the directory', async () => {
    const box = sandbox()
    const evil = { ...box.key, uid: '../evil' }
    await expect(box.start('one', 'true', { sandbox: evil })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
    await expect(box.start('../one', 'true')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    const workload = { command: ['pwd'], workingDir: '../../../../tmp' }
    await box.start('two', '', { workload })
    await box.reaches('Exited')
    expect(await box.logs()).toBe(
      `${path.join(sandboxd.directory, 'sandboxes', box.key.uid, 'workspace/tmp')}\n`,
    )
  })
})

/** Whether a process has these words in its command line. */
async function isRunning(words: string): Promise<boolean> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.startsWith(words)) return true
  }
  return false
}
