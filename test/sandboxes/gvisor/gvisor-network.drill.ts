import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  MACHINE,
  networkTestProblem,
  OTHER_PUBLIC,
  PUBLIC,
  startMachine,
} from '../network/simulated-machine.ts'
import { memorySandbox } from '../support/memory-sandbox.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'

const sandboxd = await startSandboxd()
const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
const offered = isolationClasses.find(({ name }) => name === 'gvisor')
const reason = offered?.reason ?? 'sandboxd has no class gvisor'
const problem = reason || (offered?.apiAccess ? '' : (offered?.networkProblem ?? ''))

afterEach(() => sandboxd.clear())
afterAll(() => sandboxd[Symbol.asyncDispose]())

const ROUTES = 'cat /proc/net/route | tail -n +2 | grep -v ^lo'
const IDLE = ['/bin/sleep', '1000']

async function start(name: string, workload: object): Promise<RuntimeSandbox> {
  const box = runtimeSandbox(() => sandboxd.connection)
  await box.start(name, '', { workload: { command: IDLE, isolationClass: 'gvisor', ...workload } })
  return box
}

describe.skipIf(problem !== '')(`networks of gvisor (${problem})`, () => {
  it('joins a network only if the sandbox asks for it', async () => {
    const without = await start('one', {})
    expect((await without.exec(ROUTES)).stdout).toBe('')
    const box = await start('one', { apiAccess: { token: 'mine' } })
    const { stdout } = await box.exec(`${ROUTES}; cat /etc/hosts`)
    expect(stdout).toMatch(/^eth0\s+01004064[^]*kubernetes\.default\.svc/)
  })

  it('reaches the API and no other sandbox, without any other policy than None', async () => {
    const [one, other] = [
      await start('one', { apiAccess: { token: 'mine' } }),
      await start('one', {
        apiAccess: { token: 'mine' },
        command: ['/usr/bin/python3', '-m', 'http.server', '8080'],
      }),
    ]
    const address = (await other.exec("sed -n 's/ .*//; 3p' /etc/hosts")).stdout.trim()
    expect(address).toMatch(/^100\./)
    const fetch = (url: string): string =>
      `/usr/bin/python3 -c 'import ssl, urllib.request as r; r.urlopen("${url}", timeout=10, context=ssl._create_unverified_context())' 2>&1 | tail -1`
    // The runtime has heard of no server.
    expect((await one.exec(fetch('https://100.64.0.1'))).stdout).toContain('503')
    const closed = [`http://${address}:8080`, 'http://100.64.0.1:80', 'http://169.254.169.254']
    for (const url of closed) {
      expect((await one.exec(fetch(url))).stdout, url).toMatch(/refused|unreachable|No route/)
    }
  })

  it('keeps a sandbox with a network running if its memory should be captured', async () => {
    const sandbox = memorySandbox(sandboxd, {
      driver: 'gvisor',
      isolationClass: 'gvisor',
      token: 'mine',
    })
    await sandbox.run(IDLE)
    await expect(sandbox.checkpoint()).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('use the driver process'),
    })
    expect((await sandbox.box.get()).state).toBe('Running')
    expect((await sandbox.box.exec('echo runs')).stdout).toBe('runs\n')
  })
})

const simulation = networkTestProblem(['runsc'])
const ASK =
  `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(PeerAddr => $ARGV[0], ` +
  `PeerPort => 80) or do { print $@; exit }; print <$s>'`

describe.skipIf(problem !== '' || simulation !== null)(
  `policies of gvisor on a simulated machine (${problem || (simulation ?? 'as root')})`,
  () => {
    it('enforces None, Internet and lists of networks and names', async () => {
      const directory = await mkdtemp(path.join(os.tmpdir(), 'machine-'))
      onTestFinished(() => rm(directory, { recursive: true, force: true }))
      await using machine = await startMachine(directory, { tunMode: 0o666 })
      await using own = await startSandboxd({ enter: machine.enter })
      const classes = (await own.connection.runtime.getRuntimeInfo({})).isolationClasses
      expect(classes.find(({ name }) => name === 'gvisor')).toMatchObject({
        networkPolicies: ['None', 'Internet', 'Allow'],
        networkProblem: '',
      })
      const open = async (networkPolicy: object): Promise<(target: string) => Promise<string>> => {
        const box = runtimeSandbox(() => own.connection)
        const workload = { command: IDLE, isolationClass: 'gvisor', networkPolicy }
        await box.start('one', '', { workload })
        return async (target) => {
          const { stdout, stderr } = await box.exec(`${ASK} ${target}`)
          return stdout + stderr
        }
      }
      const CLOSED = /No route to host|unreachable|refused|Bad hostname/
      const internet = await open({ mode: 'Internet' })
      expect(await internet(PUBLIC)).toBe(`${PUBLIC}:80`)
      expect(await internet('other.test')).toBe(`${OTHER_PUBLIC}:80`)
      for (const target of [MACHINE, '10.1.2.3', '169.254.169.254', '100.64.0.1']) {
        expect(await internet(target), target).toMatch(CLOSED)
      }
      const none = await open({ mode: 'None' })
      expect(await none(PUBLIC)).toMatch(CLOSED)
      const listed = await open({ mode: 'Allow', rules: [{ networks: [`${PUBLIC}/32`] }] })
      expect(await listed(PUBLIC)).toBe(`${PUBLIC}:80`)
      for (const target of [OTHER_PUBLIC, 'other.test', MACHINE]) {
        expect(await listed(target), target).toMatch(CLOSED)
      }
      const named = await open({ mode: 'Allow', rules: [{ names: ['other.test'] }] })
      expect(await named('other.test')).toBe(`${OTHER_PUBLIC}:80`)
      expect(await named(PUBLIC)).toMatch(CLOSED)
    })
  },
)
