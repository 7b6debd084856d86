import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ProbeSchema } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { freePort } from '../../support/free-port.ts'
import { poll } from '../support/poll.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_325
const SETUPS = [
  { user: undefined, runtime: 'a runtime', classes: ['bubblewrap', 'gvisor', 'process'] },
  ...(IS_ROOT
    ? [{ user: ORDINARY_USER, runtime: 'a runtime of an ordinary user', classes: ['bubblewrap'] }]
    : []),
]
const EACH_SECOND = { periodSeconds: 1, timeoutSeconds: 10, successThreshold: 1 }
const QUICK = { ...EACH_SECOND, failureThreshold: 1 }

/** Answers with the status in the file `status`. */
const SERVER = `
use IO::Socket::INET;
my $server = IO::Socket::INET->new(
  Listen => 20, LocalAddr => '127.0.0.1', LocalPort => shift, ReuseAddr => 1) or die;
while (my $client = $server->accept) {
  my ($line, $head) = (scalar <$client>, '');
  while (my $field = <$client>) { last if $field =~ /^\\r?$/; $head .= $field }
  open my $log, '>>', 'requests'; print $log $line, $head; close $log;
  open my $file, '<', 'status'; my $status = <$file>; chomp $status;
  print $client "HTTP/1.1 $status Text\\r\\nContent-Length: 0\\r\\n\\r\\n"; close $client;
}`

describe.each(SETUPS)('probes of $runtime', ({ user, classes }) => {
  let sandboxd: TestSandboxd
  /** Why the runtime does not offer a class; empty if it does. */
  const reasons = new Map<string, string>()
  beforeAll(async () => {
    sandboxd = await startSandboxd({ ...(user !== undefined && { user }) })
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    for (const { name, reason } of isolationClasses) reasons.set(name, reason)
  })
  // Probes of sandboxes that remain would run during the other tests.
  afterEach(() => sandboxd.clear())
  afterAll(() => sandboxd[Symbol.asyncDispose]())

  const reasonOf = (isolationClass: string): string => reasons.get(isolationClass) ?? 'unknown'
  const sandbox = () => runtimeSandbox(() => sandboxd.connection)
  const startIn = (isolationClass: string, box: RuntimeSandbox, script: string, workload: object) =>
    box.start('one', '', {
      workload: { command: ['/bin/sh', '-c', script], isolationClass, ...workload },
    })
  const readiness = async (box: RuntimeSandbox, wanted: string): Promise<string> => {
    const isWanted = (text: string): boolean => text.includes(wanted)
    return poll(
      `readiness ${wanted}`,
      async () => {
        const instance = await box.get()
        return `${instance.readiness} ${instance.readinessMessage}`
      },
      isWanted,
    )
  }

  describe.each(classes)('behind the class %s', (isolationClass) => {
    const start = (box: RuntimeSandbox, script: string, workload: object) =>
      startIn(isolationClass, box, script, workload)
    it('asks an HTTP server in the network of the sandbox', async ({ skip }) => {
      const reason = reasonOf(isolationClass)
      if (reason !== '') return skip(reason)
      const port = await freePort()
      const http = { port, path: '/healthz?a=b', headers: [{ name: 'X-Probe', value: 'yes' }] }
      const box = sandbox()
      const probes = { readiness: { ...QUICK, check: { case: 'http' as const, value: http } } }
      const started = await start(
        box,
        `while [ ! -e serve ]; do sleep 0.2; done; exec perl -e "$0" ${port}`,
        {
          args: [SERVER],
          probes,
        },
      )
      expect(started).toMatchObject({ readiness: 'Unready' })
      expect(await readiness(box, 'refused')).toMatch(/^Unready the readiness probe fails: /)
      await box.exec('echo 204 >status; touch serve')
      await readiness(box, 'Ready ')
      const { stdout } = await box.exec('cat requests')
      expect(stdout).toContain('GET /healthz?a=b HTTP/1.1')
      expect(stdout).toMatch(new RegExp(`^Host: 127.0.0.1:${port}\r$`, 'm'))
      expect(stdout).toMatch(/^X-Probe: yes\r$/m)
      await box.exec('echo 500 >status')
      await readiness(box, 'Unready the readiness probe fails: HTTP status 500')
    })

    it('connects to a port, and runs a command', async ({ skip }) => {
      const reason = reasonOf(isolationClass)
      if (reason !== '') return skip(reason)
      const port = await freePort()
      const [open, command] = [sandbox(), sandbox()]
      const tcp = { ...QUICK, check: { case: 'tcp' as const, value: { port } } }
      const script = `while [ ! -e serve ]; do sleep 0.2; done; exec perl -e "$0" ${port}`
      await start(open, script, { args: [SERVER], probes: { readiness: tcp } })
      const check = ['/bin/sh', '-c', 'echo "in $PWD" >&2; exit $(cat "$SANDBOX_WORKSPACE/code")']
      const exec = { ...QUICK, check: { case: 'exec' as const, value: { command: check } } }
      await start(command, 'echo 3 >code; exec sleep 600', { probes: { readiness: exec } })
      await readiness(open, 'Unready the readiness probe fails: ')
      await readiness(command, 'Unready the readiness probe fails: exit code 3: in /')
      await open.exec('touch serve')
      await command.exec('echo 0 >code')
      await readiness(open, 'Ready ')
      await readiness(command, 'Ready ')
      // Probes are no use of the sandbox.
      await command.exec('(sleep 0.2; echo 4 >code) >/dev/null 2>&1 &')
      const { lastActivityUnixMs } = await command.get()
      await readiness(command, 'exit code 4')
      expect((await command.get()).lastActivityUnixMs).toBe(lastActivityUnixMs)
    })

    it('ends the workload after failures of the liveness probe, with the reason', async ({
      skip,
    }) => {
      const reason = reasonOf(isolationClass)
      if (reason !== '') return skip(reason)
      const [graceful, stubborn, slow] = [sandbox(), sandbox(), sandbox()]
      const check = {
        case: 'exec' as const,
        value: { command: ['/bin/sh', '-c', 'test -e alive'] },
      }
      const liveness = { ...EACH_SECOND, failureThreshold: 2, check }
      // Without it, a SIGTERM could precede the trap.
      const hasTrap = {
        case: 'exec' as const,
        value: { command: ['/bin/sh', '-c', 'test -e trapped'] },
      }
      const startup = { ...EACH_SECOND, failureThreshold: 1000, check: hasTrap }
      const trap = 'trap "echo bye; exit 0" TERM; touch trapped; while :; do sleep 0.2; done'
      await start(graceful, trap, { probes: { startup, liveness }, gracePeriodSeconds: 60n })
      await start(stubborn, 'trap "" TERM; touch trapped; exec sleep 600', {
        probes: { startup, liveness: { ...liveness, gracePeriodSeconds: 1n } },
        gracePeriodSeconds: 600n,
      })
      const endless = { case: 'exec' as const, value: { command: ['/bin/sleep', '600'] } }
      await start(slow, 'exec sleep 600', {
        probes: { startup: { ...QUICK, timeoutSeconds: 1, check: endless }, liveness },
      })
      const message = 'the liveness probe has failed: exit code 1'
      // A program that ends well at SIGTERM has still failed.
      expect(await graceful.reaches('Exited')).toMatchObject({
        exitCode: 143,
        exitSignal: 15,
        message,
      })
      expect(await graceful.logs()).toBe('bye\n')
      expect(await stubborn.reaches('Exited')).toMatchObject({
        exitCode: 137,
        exitSignal: 9,
        message,
      })
      expect((await slow.reaches('Exited')).message).toBe(
        'the startup probe has failed: the command did not end in 1 s and was killed',
      )
    })

    it('ignores the time in which the workload is frozen', async ({ skip }) => {
      const reason = reasonOf(isolationClass)
      if (reason !== '') return skip(reason)
      const { freezes } = await sandboxd.connection.runtime.getRuntimeInfo({})
      if (!freezes) return skip('the machine cannot freeze')
      const box = sandbox()
      const command = ['/bin/sh', '-c', 'date >>"$SANDBOX_WORKSPACE/checks"']
      const check = { case: 'exec' as const, value: { command } }
      await start(box, 'exec sleep 600', { probes: { liveness: { ...QUICK, check } } })
      const file = path.join(sandboxd.directory, 'sandboxes', box.key.uid, 'workspace/checks')
      const checks = async (): Promise<number> =>
        (await readFile(file, 'utf8').catch(() => '')).split('\n').length - 1
      await poll('a check', checks, (count) => count > 0)
      const change = { sandbox: box.key, instanceId: 'one', fence: 1n }
      const { runtime } = sandboxd.connection
      await runtime.freeze({ ...change, operationId: 'freeze' })
      // Another sandbox passes the time in which its own checks fail.
      const clock = sandbox()
      const failing = { case: 'exec' as const, value: { command: ['/bin/false'] } }
      const liveness = { ...EACH_SECOND, failureThreshold: 3, check: failing }
      await start(clock, 'exec sleep 600', { probes: { liveness } })
      await clock.reaches('Exited')
      expect(await box.get()).toMatchObject({ state: 'Frozen', message: '' })
      await runtime.thaw({ ...change, operationId: 'thaw' })
      const before = await checks()
      await poll('another check', checks, (count) => count > before)
    })
  })

  it('continue after a restart of the runtime, and forget no readiness', async ({ skip }) => {
    const offered = classes.filter((name) => reasonOf(name) === '')
    if (offered.length === 0) return skip(classes.map(reasonOf).join())
    const command = ['/bin/sh', '-c', 'test ! -e "$SANDBOX_WORKSPACE/sick"']
    const check = { case: 'exec' as const, value: { command } }
    const probes = { startup: { ...QUICK, check }, readiness: { ...QUICK, check } }
    const boxes = offered.map(() => sandbox())
    const each = (act: (box: RuntimeSandbox, isolationClass: string) => Promise<unknown>) =>
      Promise.all(boxes.map((box, index) => act(box, offered[index] ?? '')))
    await each((box, name) => startIn(name, box, 'exec sleep 600', { probes }))
    await each((box) => readiness(box, 'Ready '))
    await sandboxd.stop('SIGKILL')
    await sandboxd.restart()
    await each(async (box) => {
      expect(await box.get()).toMatchObject({ state: 'Running', readiness: 'Ready' })
      // The startup probe does not run again: its failure would end the workload.
      await box.exec('touch "$SANDBOX_WORKSPACE/sick"')
      await readiness(box, 'Unready the readiness probe fails: exit code 1')
      expect(await box.get()).toMatchObject({ state: 'Running' })
    })
  })

  it.skipIf(user !== undefined)('report a new reason of the same state', async () => {
    const box = sandbox()
    const port = await freePort()
    const check = { case: 'http' as const, value: { port, path: '/' } }
    const script = `while [ ! -e serve ]; do sleep 0.2; done; exec perl -e "$0" ${port}`
    const probes = { readiness: { ...QUICK, check } }
    await startIn('process', box, script, { args: [SERVER], probes })
    await readiness(box, 'refused')
    await box.exec('echo 503 >status; touch serve')
    await readiness(box, 'Unready the readiness probe fails: HTTP status 503')
  })

  it('are rejected if they cannot be performed', async () => {
    const box = runtimeSandbox(() => sandboxd.connection)
    const { runtime } = sandboxd.connection
    const start = (check: MessageInitShape<typeof ProbeSchema>['check']) =>
      runtime.start({
        sandbox: box.key,
        instanceId: 'one',
        workload: {
          command: ['/bin/true'],
          probes: { liveness: { ...QUICK, ...(check && { check }) } },
        },
      })
    await expect(start({ case: 'tcp', value: { port: 0 } })).rejects.toThrow('the port 0')
    await expect(start({ case: 'exec', value: {} })).rejects.toThrow('command of a probe is empty')
    await expect(start({ case: undefined })).rejects.toThrow('a probe has no check')
  })
})
