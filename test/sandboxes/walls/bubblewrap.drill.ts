import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_324
const USERS = IS_ROOT ? [undefined, ORDINARY_USER] : [undefined]
/** Sandboxes with a wall need no consent. */
const ENV = { SANDBOX_UNISOLATED: 'false' }

/** The process of bwrap that waits for the workload. */
async function bwrapOf({ key }: RuntimeSandbox): Promise<number> {
  for (const pid of await readdir('/proc')) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
    if ((await read('comm')) !== 'bwrap\n') continue
    if ((await read('cmdline')).includes(key.uid)) return Number(pid)
  }
  throw new Error('bwrap does not run')
}

describe.each(
  USERS.map((user) => ({ user, name: user === undefined ? 'the own' : 'an ordinary' })),
)('bubblewrap of $name user', ({ user }) => {
  let sandboxd: TestSandboxd
  let reason: string
  beforeAll(async () => {
    sandboxd = await startSandboxd({ env: ENV, ...(user !== undefined && { user }) })
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    reason = isolationClasses.find(({ name }) => name === 'bubblewrap')?.reason ?? 'unknown'
  })
  afterEach(() => sandboxd.clear())
  afterAll(() => sandboxd[Symbol.asyncDispose]())

  const sandbox = (name?: string) => runtimeSandbox(() => sandboxd.connection, name)
  const start = (box: RuntimeSandbox, script: string, workload = {}) =>
    box.start('one', '', {
      workload: { command: ['/bin/sh', '-c', script], isolationClass: 'bubblewrap', ...workload },
    })

  it('says what the class separates, or why it is not offered', async () => {
    const info = await sandboxd.connection.runtime.getRuntimeInfo({})
    const [bubblewrap, ...others] = info.isolationClasses
    const process = others.find(({ name }) => name === 'process')
    expect(process).toMatchObject({ name: 'process', separates: [], isDefault: false })
    expect(process?.reason).toContain('SANDBOX_UNISOLATED')
    expect(bubblewrap).toMatchObject({
      name: 'bubblewrap',
      separates: ['files', 'processes', 'network'],
      isDefault: reason === '',
    })
    expect(info.startProblem === '').toBe(reason === '')
    if (reason !== '') {
      expect(info.startProblem).toContain('Install bubblewrap')
      expect(info.startProblem).toContain('SANDBOX_UNISOLATED=true')
    }
  })

  it('does not start the class process without consent', async () => {
    const box = sandbox()
    const started = box.start('one', 'sleep 60')
    await expect(started).rejects.toThrow('does not offer the class process')
  })

  it('runs a command with its own file system, and reports its end', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox('first')
    await start(box, 'pwd; echo "$HOME"; hostname; ls /; id -un; echo oops >&2; exit 7')
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 7, exitSignal: 0 })
    const [directory, home, name, ...rest] = (await box.logs()).trim().split('\n')
    expect([directory, home, name]).toEqual(['/workspace', '/workspace', 'first'])
    expect(rest.slice(-2)).toEqual(['sandbox', 'oops'])
    const places = ['bin', 'dev', 'etc', 'lib', 'proc', 'run', 'sbin', 'tmp', 'usr', 'var']
    expect(rest.filter((each) => !/^lib.+/.test(each)).slice(0, -2)).toEqual([
      ...places,
      'workspace',
    ])
  })

  it('starts a program whose PATH contains no program', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    const env = [{ name: 'PATH', value: '/nowhere' }]
    await start(box, 'echo "$PATH"', { env, workingDir: 'new' })
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0 })
    expect(await box.logs()).toBe('/nowhere\n')
  })

  it('mounts volumes at their paths, and keeps those for reading', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    const script =
      'echo 1 >/data/file; echo "$SANDBOX_VOLUME_DATA"; cat /etc/app/key; ' +
      '(echo 2 >/etc/app/key) 2>/dev/null || echo read-only; echo 3 >/usr/x || true'
    await start(box, script, {
      volumes: [
        { name: 'data', mountPath: '/data' },
        {
          name: 'config',
          mountPath: '/etc/app',
          content: { files: [{ path: 'key', data: new TextEncoder().encode('value\n') }] },
        },
      ],
    })
    await box.reaches('Exited')
    const text = await box.logs()
    expect(text).toContain('/data\nvalue\nread-only\n')
    expect(text).toContain('Read-only file system')
  })

  it('runs commands beside the workload, behind the same wall', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    await start(box, 'echo $$ >pid; sleep 60')
    await expect.poll(async () => (await box.exec('cat pid')).stdout).not.toBe('')
    const { stdout, exitCode } = await box.exec(
      'cat pid; hostname; ls /proc | grep -c "^[0-9]"; grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status; ' +
        'unshare --user true 2>&1; echo "$COLOR"; exit 3',
      { env: [{ name: 'COLOR', value: 'red' }] },
    )
    expect(exitCode).toBe(3)
    expect(stdout.replaceAll('\t', ' ')).toMatch(
      /^2\nbox\n\d\nCapEff: 0{16}\nNoNewPrivs: 1\nSeccomp: 2\nunshare: .*\nred\n$/,
    )
    const twice = await Promise.all([box.exec('cat', input('a')), box.exec('cat', input('b'))])
    expect(twice.map((each) => each.stdout)).toEqual(['a', 'b'])
  })

  it('ends a workload with SIGTERM, then all its processes', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    await start(
      box,
      'trap "echo term; exit 0" TERM; echo ready; sleep 1000 & while :; do sleep 0.1; done',
    )
    await expect.poll(() => box.logs()).toContain('ready')
    const { runtime } = sandboxd.connection
    const { instance } = await runtime.terminate({
      sandbox: box.key,
      instanceId: 'one',
      fence: 1n,
      graceSeconds: 10n,
    })
    expect(instance).toMatchObject({ state: 'Exited', exitCode: 0 })
    expect(await box.logs()).toContain('term')
  })

  it('reports the status of a workload whose end bwrap notices late', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    await start(box, 'trap "echo term; exit 7" TERM; echo ready; while :; do sleep 0.1; done')
    await expect.poll(() => box.logs()).toContain('ready')
    const bwrap = await bwrapOf(box)
    process.kill(bwrap, 'SIGSTOP')
    const { runtime } = sandboxd.connection
    const terminated = runtime.terminate({
      sandbox: box.key,
      instanceId: 'one',
      fence: 1n,
      graceSeconds: 10n,
    })
    await expect.poll(() => box.logs()).toContain('term')
    // A kill would come soon after the end of the workload.
    await sleep(100)
    process.kill(bwrap, 'SIGCONT')
    expect((await terminated).instance).toMatchObject({ state: 'Exited', exitCode: 7 })
  })

  it('finds workloads again after kill -9 of the runtime, and runs commands in them', async ({
    skip,
  }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    await start(box, 'echo kept >file; sleep 60')
    await expect.poll(() => box.exec('cat file').then(({ stdout }) => stdout)).toBe('kept\n')
    await sandboxd.stop('SIGKILL')
    await sandboxd.restart()
    expect((await box.get()).state).toBe('Running')
    expect((await box.exec('cat file')).stdout).toBe('kept\n')
  })

  it('freezes and thaws', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const { freezes } = await sandboxd.connection.runtime.getRuntimeInfo({})
    if (!freezes) return skip('the machine has no writable cgroup v2')
    const box = sandbox()
    await start(box, 'while :; do echo tick; sleep 0.1; done')
    const { runtime } = sandboxd.connection
    const request = { sandbox: box.key, instanceId: 'one', fence: 1n }
    expect((await runtime.freeze(request)).instance?.state).toBe('Frozen')
    const frozen = await box.logs()
    expect((await runtime.thaw(request)).instance?.state).toBe('Running')
    await expect.poll(async () => (await box.logs()).length).toBeGreaterThan(frozen.length)
  })

  it('limits the processes of a sandbox', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    await start(box, 'sleep 60', { limits: { maxProcesses: 20n } })
    const { stdout, stderr } = await box.exec(
      'i=0; while [ $i -lt 40 ]; do sleep 1 & i=$((i+1)); done; echo all',
    )
    expect(stderr).toMatch(/fork/i)
    expect(stdout).not.toContain('all')
  })
})

function input(text: string) {
  return { stdin: new TextEncoder().encode(text) }
}
