import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'
import {
  MACHINE,
  networkTestProblem,
  OTHER_CONTAINER,
  OTHER_PUBLIC,
  PUBLIC,
  type SimulatedMachine,
  startMachine,
} from './simulated-machine.ts'

const TUN_FOR_ALL = 0o666
const ORDINARY_USER = 54_326
const problem = networkTestProblem(['bwrap'])

/** Prints what the address sends, or the error of the connection. */
const ASK =
  `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(PeerAddr => $ARGV[0], ` +
  `PeerPort => $ARGV[1]) or do { print $@; exit }; print <$s>'`
/** A server on port 8000 that answers with its argument. */
const SERVE =
  `exec perl -MIO::Socket::INET -e 'my $l = IO::Socket::INET->new(LocalAddr => "0.0.0.0", ` +
  `LocalPort => 8000, Listen => 5, ReuseAddr => 1) or die $@; $| = 1; print "listens"; ` +
  `while (my $c = $l->accept) { print $c $ARGV[0]; close $c }'`

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'machine-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const sandboxOn = (sandboxd: TestSandboxd, name?: string): RuntimeSandbox =>
  runtimeSandbox(() => sandboxd.connection, name)

type Policy = { readonly mode: string; readonly rules?: readonly object[] }

async function start(box: RuntimeSandbox, script = 'sleep 600', networkPolicy?: Policy) {
  return box.start('one', '', {
    workload: {
      command: ['/bin/sh', '-c', script],
      isolationClass: 'bubblewrap',
      ...(networkPolicy && { networkPolicy: { ...networkPolicy, rules: [] } }),
    },
  })
}

async function ask(box: RuntimeSandbox, target: string, port = 80): Promise<string> {
  const { stdout, stderr } = await box.exec(`${ASK} ${target} ${port}`)
  return stdout + stderr
}

async function bubblewrapOf({ connection }: TestSandboxd) {
  const { isolationClasses } = await connection.runtime.getRuntimeInfo({})
  return isolationClasses.find(({ name }) => name === 'bubblewrap')
}

/** The namespaces of sandboxes in the router of a runtime. */
async function namespaces(sandboxd: TestSandboxd): Promise<readonly string[]> {
  const file = path.join(sandboxd.directory, 'network', 'router.json')
  const { holder } = JSON.parse(await readFile(file, 'utf8')) as { holder: { pid: number } }
  return readdir(`/proc/${holder.pid}/root/run/netns`)
}

describe.skipIf(problem !== null)(
  `networks of bubblewrap${problem === null ? '' : `: ${problem}`}`,
  () => {
    describe.each([
      { name: 'root', user: undefined },
      { name: 'an ordinary user', user: ORDINARY_USER },
    ])('as $name', ({ user }) => {
      let machine: SimulatedMachine
      let sandboxd: TestSandboxd
      beforeAll(async () => {
        machine = await startMachine(directory, { tunMode: TUN_FOR_ALL })
        sandboxd = await startSandboxd({
          enter: machine.enter,
          ...(user !== undefined && { user }),
        })
      })
      afterAll(async () => {
        await sandboxd?.[Symbol.asyncDispose]()
        await machine[Symbol.asyncDispose]()
      })

      it('offers all policies', async () => {
        expect(await bubblewrapOf(sandboxd)).toMatchObject({
          reason: '',
          networkPolicies: ['None', 'Internet', 'Allow'],
          networkProblem: '',
        })
      })

      it('reaches public addresses by default, and not the machine', async () => {
        const box = sandboxOn(sandboxd)
        await start(box)
        expect(await ask(box, PUBLIC)).toBe(`${PUBLIC}:80`)
        expect(await ask(box, 'other.test')).toBe(`${OTHER_PUBLIC}:80`)
        for (const target of [MACHINE, '10.1.2.3', '169.254.169.254', '100.64.0.1']) {
          expect(await ask(box, target)).toMatch(/No route to host|unreachable|refused/)
        }
      })

      it('keeps the named network namespaces of the machine', () => {
        const [program = '', ...prefix] = machine.enter
        const show = ['ip', '-n', OTHER_CONTAINER, 'link', 'show', 'lo']
        const output = execFileSync(program, [...prefix, ...show], { encoding: 'utf8' })
        expect(output).toContain('LOOPBACK')
      })

      it('reaches nothing with the policy None', async () => {
        const box = sandboxOn(sandboxd)
        await start(box, undefined, { mode: 'None' })
        expect(await ask(box, PUBLIC)).toMatch(/Connection refused/)
      })

      it('gives sandboxes different addresses, so that they listen on one port', async () => {
        const boxes = [sandboxOn(sandboxd, 'one'), sandboxOn(sandboxd, 'two')] as const
        const started = await Promise.all(
          boxes.map((box) => start(box, `${SERVE} ${box.key.name}`)),
        )
        const [first, second] = started.map(({ address }) => address)
        expect(first).not.toBe(second)
        for (const box of boxes) {
          await expect.poll(() => box.logs()).toBe('listens')
          expect(await ask(box, box.key.name, 8000)).toBe(box.key.name)
          expect(await ask(box, '127.0.0.1', 8000)).toBe(box.key.name)
        }
        expect(await ask(boxes[0], second ?? '', 8000)).toMatch(/Connection refused/)
      })

      it('runs the program without rights in its namespaces', async () => {
        const box = sandboxOn(sandboxd)
        const status = 'grep -E "^(Uid|CapEff|CapBnd|NoNewPrivs):" /proc/self/status'
        await start(box, `${status}; sleep 600`)
        await expect.poll(() => box.logs()).toContain('NoNewPrivs')
        const { stdout } = await box.exec(`${status}; id -un`)
        for (const text of [await box.logs(), stdout]) {
          expect(text).toMatch(/CapEff:\t0{16}\n/)
          expect(text).toMatch(/NoNewPrivs:\t1\n/)
          expect(text).not.toMatch(/Uid:\t0/)
        }
        expect(stdout).toContain('\nsandbox\n')
      })

      it('keeps networks over kill -9 of the runtime, and removes them at the end', async () => {
        const box = sandboxOn(sandboxd)
        const { address } = await start(box)
        const before = await namespaces(sandboxd)
        await sandboxd.stop('SIGKILL')
        await sandboxd.restart()
        expect((await box.get()).address).toBe(address)
        expect(await namespaces(sandboxd)).toEqual(before)
        expect(await ask(box, PUBLIC)).toBe(`${PUBLIC}:80`)
        const { runtime } = sandboxd.connection
        await runtime.remove({ sandbox: box.key, fence: 2n })
        const left = await namespaces(sandboxd)
        expect(left).toHaveLength(before.length - 1)
        expect(before).toEqual(expect.arrayContaining([...left]))
      })

      it('rejects policies that it cannot enforce', async () => {
        const box = sandboxOn(sandboxd)
        await expect(start(box, undefined, { mode: 'Open' })).rejects.toThrow(
          "the mode 'Open' must be None, Internet or Allow",
        )
        const shared = box.start('one', '', {
          workload: { command: ['/bin/true'], networkPolicy: { mode: 'None' } },
        })
        await expect(shared).rejects.toThrow('it has the network of the machine')
      })
    })

    it('offers only None without access to /dev/net/tun, with the remedy', async () => {
      await using machine = await startMachine(directory, { tunMode: 0o600 })
      await using sandboxd = await startSandboxd({ enter: machine.enter, user: ORDINARY_USER })
      expect(await bubblewrapOf(sandboxd)).toMatchObject({
        reason: '',
        networkPolicies: ['None'],
        networkProblem: 'this user cannot open /dev/net/tun: run chmod 0666 /dev/net/tun as root',
      })
      const box = sandboxOn(sandboxd)
      await start(box)
      expect(await ask(box, PUBLIC)).toMatch(/No route to host|unreachable/)
      await expect(start(sandboxOn(sandboxd), undefined, { mode: 'Internet' })).rejects.toThrow(
        'does not offer the network policy Internet: this user cannot open /dev/net/tun',
      )
    })

    it.each([
      { name: 'nft', remedy: 'install the packages util-linux, iproute2 and nftables' },
      { name: 'slirp4netns', remedy: 'install the package slirp4netns' },
    ])('offers only None without $name', async ({ name, remedy }) => {
      const file = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
      await using machine = await startMachine(directory, { tunMode: TUN_FOR_ALL, missing: [file] })
      await using sandboxd = await startSandboxd({ enter: machine.enter })
      expect(await bubblewrapOf(sandboxd)).toMatchObject({
        networkPolicies: ['None'],
        networkProblem: remedy,
      })
      const box = sandboxOn(sandboxd)
      const { address } = await start(box)
      expect(address === '').toBe(name === 'nft')
      expect(await ask(box, PUBLIC)).toMatch(/No route to host|unreachable/)
    })
  },
)
