import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { listen } from '../../../src/lib/listen.ts'
import { poll } from '../support/poll.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'

const ORDINARY_USER = 54_325
const IDLE = 'sleep 1000'

const sandboxd = await startSandboxd()
const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
const offered = isolationClasses.find(({ name }) => name === 'gvisor')
const reason = offered?.reason ?? 'sandboxd has no class gvisor'

afterEach(() => sandboxd.clear())
afterAll(() => sandboxd[Symbol.asyncDispose]())

interface Start {
  readonly script: string
  readonly maxProcesses?: bigint
  readonly mountPath?: string
}

async function start(
  options: Start,
  connection = () => sandboxd.connection,
): Promise<RuntimeSandbox> {
  const { script, maxProcesses = 0n, mountPath = '/data' } = options
  const box = runtimeSandbox(connection)
  await box.start('one', '', {
    workload: {
      command: ['/bin/sh', '-c', script],
      env: [{ name: 'GREETING', value: "it's here" }],
      volumes: [{ name: 'data', mountPath }],
      limits: { maxProcesses },
      isolationClass: 'gvisor',
    },
  })
  return box
}

describe(`the class gvisor (${reason === '' ? 'offered on this machine' : reason})`, () => {
  it('lists its separations, or the reason if it is not offered', () => {
    expect(offered?.separates).toEqual(['files', 'processes', 'network', 'kernel'])
    if (reason !== '') expect(reason).toMatch(/runsc|root|cgroup|util-linux|probe/)
  })

  it.skipIf(process.getuid?.() !== 0)('is not offered to an ordinary user', async () => {
    await using ordinary = await startSandboxd({ user: ORDINARY_USER })
    const box = runtimeSandbox(() => ordinary.connection)
    const workload = { command: ['true'], isolationClass: 'gvisor' }
    await expect(box.start('one', '', { workload })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/does not offer the class gvisor: .*(as root|install runsc)/),
    })
  })

  describe.skipIf(reason !== '')('sandboxes', () => {
    it('runs commands with the variables, user and files of the workload', async () => {
      const box = await start({ script: 'echo hello >/data/file; echo $GREETING; sleep 1000' })
      await poll('the log', box.logs, (text) => text === "it's here\n")
      const { stdout, stderr, exitCode } = await box.exec(
        'cat /data/file; echo $GREETING $ADDED; pwd; cat; id -u; id -un; echo oops >&2; exit 3',
        {
          env: [{ name: 'ADDED', value: 'a b' }],
          workingDir: 'below',
          stdin: Buffer.from('input\n'),
        },
      )
      const lines = stdout.trim().split('\n')
      const expected = ['hello', "it's here a b", '/workspace/below', 'input', expect.any(String)]
      expect(lines).toEqual([...expected, 'sandbox'])
      expect({ stderr, exitCode }).toEqual({ stderr: 'oops\n', exitCode: 3 })
      // The user has no rights on the machine.
      expect(Number(lines[4])).toBeGreaterThan(65_536)
    })

    it('hides files, processes, network and users of the machine', async () => {
      const server = createServer((_, response) => response.end('machine'))
      const port = await listen(server, 0, '127.0.0.1')
      const secret = path.join(sandboxd.directory, 'sandboxes', 'readable')
      await writeFile(secret, 'secret', { mode: 0o644 })
      const [one, other] = [await start({ script: IDLE }), await start({ script: IDLE })]
      const fetch = `/usr/bin/python3 -c 'import urllib.request as r; r.urlopen("http://127.0.0.1:${port}", timeout=5)'`
      const failing = [
        `cat ${secret}`,
        'cat /etc/shadow',
        `cat /proc/${process.pid}/environ`,
        'touch /usr/file',
        'touch /etc/file',
        fetch,
      ]
      for (const script of failing) expect((await one.exec(script)).exitCode, script).not.toBe(0)
      expect((await one.exec('grep CapEff /proc/self/status')).stdout).toMatch(/\t0+\n$/)
      const users = await Promise.all(
        [one, other].map(async (box) => (await box.exec('id -u')).stdout),
      )
      expect(users[0]).not.toBe(users[1])
      server.close()
    })

    it('kills a command with its children after the timeout', async () => {
      const box = await start({ script: IDLE })
      const command = box.exec('sleep 4321; true', { timeoutSeconds: 1n })
      await expect(command).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
      const processes = async () => (await box.exec('cat /proc/[0-9]*/cmdline')).stdout
      await poll('the processes', processes, (text) => !text.includes('4321\0'))
    })

    it('freezes, signals and ends', async () => {
      const box = await start({
        script: `trap 'echo ending; exit 9' TERM; while :; do echo tick; sleep 0.2; done`,
      })
      const { runtime } = sandboxd.connection
      await runtime.freeze({ sandbox: box.key, fence: 1n })
      expect((await box.get()).state).toBe('Frozen')
      await expect(box.exec('true')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' })
      await runtime.thaw({ sandbox: box.key, fence: 1n })
      const { length } = await box.logs()
      await poll('the log', box.logs, (text) => text.length > length)
      await runtime.terminate({ sandbox: box.key, fence: 1n, graceSeconds: 30n })
      expect(await box.get()).toMatchObject({ state: 'Exited', exitCode: 9 })
      expect(await box.logs()).toMatch(/ending\n$/)
    })

    it('kills a workload that ignores signals, and removes its container', async () => {
      await using own = await startSandboxd()
      const box = await start({ script: `trap '' TERM; ${IDLE}` }, () => own.connection)
      const states = () => readdir(path.join(own.directory, 'runsc'))
      expect(await states()).not.toEqual([])
      await own.connection.runtime.terminate({ sandbox: box.key, fence: 1n })
      expect(await box.get()).toMatchObject({ state: 'Exited', exitCode: 137, exitSignal: 9 })
      expect(await states()).toEqual([])
      const run = path.join(own.directory, 'sandboxes', box.key.uid, 'run', 'one')
      await expect(stat(path.join(run, 'container'))).rejects.toMatchObject({ code: 'ENOENT' })
    })

    it('survives a kill of the runtime, and reports an exit that happened meanwhile', async () => {
      await using own = await startSandboxd()
      const [running, ending] = [
        await start({ script: IDLE }, () => own.connection),
        await start(
          { script: 'while [ ! -e stop ]; do sleep 0.2; done; exit 7' },
          () => own.connection,
        ),
      ]
      const { pid } = await running.get()
      await own.stop('SIGKILL')
      await mkdir(path.join(own.directory, 'sandboxes', ending.key.uid, 'workspace', 'stop'))
      await own.restart()
      expect(await running.get()).toMatchObject({ state: 'Running', pid })
      expect((await running.exec('exit 4')).exitCode).toBe(4)
      expect(await ending.reaches('Exited')).toMatchObject({ exitCode: 7 })
    })

    it('limits processes, beside those of the engine', async () => {
      const box = await start({ script: IDLE, maxProcesses: 8n })
      expect((await box.exec('echo ran')).stdout).toBe('ran\n')
      const bomb = 'i=0; while [ $i -lt 600 ]; do sleep 30 & i=$((i+1)); done; echo survived'
      const { stdout } = await box.exec(bomb).catch(() => ({ stdout: 'the engine ended' }))
      expect(stdout).not.toContain('survived')
    })

    it('rejects volumes inside directories that runsc would change', async () => {
      for (const mountPath of ['/usr/data', '/workspace/data', '/etc', '/']) {
        await expect(start({ script: IDLE, mountPath })).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          message: expect.stringContaining('cannot mount a volume at'),
        })
      }
    })
  })
})
