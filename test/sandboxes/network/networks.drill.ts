import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NetworkPolicy } from '../../../src/sandboxes/drivers/runtime/network/network-policy.ts'
import {
  identifyProcess,
  isAlive,
  type ProcessIdentity,
} from '../../../src/sandboxes/drivers/runtime/machine/process-identity.ts'
import type { SandboxNetwork } from '../../../src/sandboxes/drivers/runtime/network/sandbox-networks.ts'
import { type HostProcess, startHost } from './host-process.ts'
import {
  askFrom,
  BLOCKED,
  MACHINE,
  networkTestProblem,
  OTHER_PUBLIC,
  PUBLIC,
  type SimulatedMachine,
  startMachine,
} from './simulated-machine.ts'

const problem = networkTestProblem()
const REFUSED = /^(?:EHOSTUNREACH|ENETUNREACH|ECONNREFUSED)$/
/** An account that no system uses. */
const USER = ['setpriv', '--reuid=61234', '--regid=61234', '--clear-groups', '--']
const TUN_FOR_ALL = 0o666
const INTERNET: NetworkPolicy = { mode: 'Internet' }

let machine: SimulatedMachine
let directory: string
let count = 0

beforeAll(async () => {
  if (problem !== null) return
  directory = await mkdtemp(path.join(os.tmpdir(), 'networks-'))
  await chmod(directory, 0o777)
  machine = await startMachine(directory, { tunMode: TUN_FOR_ALL })
})

afterAll(async () => {
  if (problem !== null) return
  await machine[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

/** A directory of an instance, which the user of the host owns. */
async function instanceDirectory(): Promise<string> {
  count += 1
  const created = path.join(directory, `instance-${count}`)
  await mkdir(created)
  await chmod(created, 0o777)
  return created
}

async function attach(host: HostProcess, policy: NetworkPolicy): Promise<SandboxNetwork> {
  const files = await instanceDirectory()
  return host.attach(path.basename(files), policy, files)
}

/** The namespace and files of a sandbox, as a wall would enter them. */
function inside(account: readonly string[], { entry, files }: SandboxNetwork): readonly string[] {
  const binds = [
    `mount --bind ${files.hosts} /etc/hosts`,
    `mount --bind ${files.resolv} /etc/resolv.conf`,
  ]
  const script = `${binds.join(' && ')} && exec "$@"`
  const mounts = ['unshare', '--mount', '--propagation=private', 'sh', '-c', script, 'sh']
  return [...machine.enter, ...account, ...entry, ...mounts]
}

describe.skipIf(problem !== null)(
  `networks of sandboxes${problem === null ? '' : `: ${problem}`}`,
  () => {
    describe.each([
      ['root', []],
      ['an ordinary user', USER],
    ])('as %s', (_, account) => {
      let host: HostProcess
      const start = async (live: readonly SandboxNetwork[] = []): Promise<HostProcess> =>
        startHost(
          [...machine.enter, ...account],
          path.join(directory, `router-${account.length}`),
          live.map(({ record }) => record),
        )
      const ask = (network: SandboxNetwork, target: string, port?: number): Promise<string> =>
        askFrom(inside(account, network), target, port)

      beforeAll(async () => {
        host = await start()
      })
      afterAll(() => host.close())

      test('offers all policies', () => {
        expect(host).toMatchObject({ problem: '', modes: ['None', 'Internet', 'Allow'] })
      })

      describe('Internet', () => {
        let network: SandboxNetwork
        beforeAll(async () => {
          network = await attach(host, INTERNET)
        })

        test('reaches public addresses and resolves names', async () => {
          expect(await ask(network, PUBLIC)).toBe(`${PUBLIC}:80`)
          expect(await ask(network, 'other.test')).toBe(`${OTHER_PUBLIC}:80`)
        })

        test.each([...BLOCKED, MACHINE, '100.64.0.2', '100.64.0.1', '100.64.0.100', 'inside.test'])(
          'does not reach %s',
          async (address) => {
            expect(await ask(network, address)).toMatch(REFUSED)
          },
        )
      })

      test('the machine itself reaches what sandboxes do not', async () => {
        for (const address of [...BLOCKED, MACHINE]) {
          expect(await askFrom(machine.enter, address)).toBe(`${address}:80`)
        }
      })

      test('None reaches nothing and resolves no name', async () => {
        const network = await attach(host, { mode: 'None' })
        expect(await ask(network, PUBLIC)).toMatch(REFUSED)
        expect(await ask(network, '100.64.0.3', 53)).toMatch(REFUSED)
        expect(await ask(network, 'allowed.test')).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)$/)
      })

      test('an allow list permits only its names, networks and ports', async () => {
        const rule = { networks: [], except: [], names: [], ports: [] }
        const port = { protocol: 'TCP', port: 443, endPort: 0 } as const
        const overlapping = { protocol: 'TCP', port: 440, endPort: 450 } as const
        const network = await attach(host, {
          mode: 'Allow',
          rules: [
            { ...rule, names: ['allowed.test', 'inside.test'], ports: [port, overlapping] },
            { ...rule, networks: ['198.51.100.0/24'], except: ['198.51.100.128/25'] },
          ],
        })
        expect(await ask(network, 'allowed.test', 443)).toBe(`${PUBLIC}:443`)
        expect(await ask(network, 'allowed.test', 80)).toMatch(REFUSED)
        expect(await ask(network, OTHER_PUBLIC)).toBe(`${OTHER_PUBLIC}:80`)
        expect(await ask(network, '198.51.100.200')).toMatch(REFUSED)
        expect(await ask(network, 'inside.test', 443)).toMatch(REFUSED)
        expect(await ask(network, 'other.test')).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)$/)
      })

      test('sandboxes have different addresses, and do not reach each other', async () => {
        const networks = [await attach(host, INTERNET), await attach(host, INTERNET)] as const
        const [one, other] = networks.map(({ record }) => record.address)
        expect(one).not.toBe(other)
        const listening = await Promise.all(networks.map((network) => listen(account, network)))
        try {
          expect(await ask(networks[0], one ?? '', 7000)).toBe('hello')
          expect(await ask(networks[0], other ?? '', 7000)).toMatch(REFUSED)
        } finally {
          for (const child of listening) child.kill('SIGKILL')
        }
      })

      test('networks survive kill -9, and those of ended sandboxes are removed', async () => {
        const kept = await attach(host, INTERNET)
        const ended = await attach(host, INTERNET)
        await host.kill()
        expect(await ask(kept, PUBLIC)).toBe(`${PUBLIC}:80`)
        host = await start([kept])
        expect(await ask(kept, PUBLIC)).toBe(`${PUBLIC}:80`)
        expect(namespaces(kept)).toEqual([path.basename(kept.namespace)])
        await expect(ask(ended, PUBLIC)).rejects.toThrow(/cannot open|No such file/)
        await host.release(kept.record.address)
        expect(namespaces(kept)).toEqual([])
      })

      test.each([['holder'], ['supervisor'], ['holder', 'supervisor']] as const)(
        'networks survive kill -9 of the router: %s',
        async (...killed) => {
          const kept = await attach(host, INTERNET)
          const before = await routerProcesses(account)
          for (const name of killed) process.kill(before[name].pid, 'SIGKILL')
          // The processes may end before, during or after this.
          const meanwhile = await attach(host, INTERNET)
          for (const name of killed) await expect.poll(() => isAlive(before[name])).toBe(false)
          const later = await attach(host, INTERNET)
          const after = await routerProcesses(account)
          expect(after.holder.pid).not.toBe(before.holder.pid)
          // The namespace is the same, in the directory of another process.
          const moved = (network: SandboxNetwork): SandboxNetwork => ({
            ...network,
            entry: network.entry.map((argument) =>
              argument.replace(`${before.holder.pid}`, `${after.holder.pid}`),
            ),
          })
          for (const network of [moved(kept), moved(meanwhile), later]) {
            expect(await ask(network, PUBLIC)).toBe(`${PUBLIC}:80`)
            expect(await ask(network, MACHINE)).toMatch(REFUSED)
          }
          for (const { pid, start } of Object.values(before)) {
            expect((await identifyProcess(pid))?.start).not.toBe(start)
          }
        },
      )

      test('an address is not used again while its sandbox lives', async () => {
        const files = await instanceDirectory()
        const first = await host.attach('same uid', { mode: 'None' }, files)
        const second = await host.attach('same uid', { mode: 'None' }, files)
        expect(second.record.address).not.toBe(first.record.address)
        await host.release(first.record.address)
        const third = await host.attach('same uid', { mode: 'None' }, files)
        expect(third.record.address).toBe(first.record.address)
      })
    })

    test('a router ends with the last sandbox when its runtime closes', async () => {
      const files = path.join(directory, 'router-closing')
      const host = await startHost(machine.enter, files)
      const network = await attach(host, INTERNET)
      const holder = Number(/^\/proc\/(\d+)\//.exec(network.namespace)?.[1])
      await host.close()
      expect(await identifyProcess(holder)).not.toBeNull()
      const next = await startHost(machine.enter, files, [network.record])
      await next.release(network.record.address)
      await next.close()
      expect(await identifyProcess(holder)).toBeNull()
    })

    test('without access to /dev/net/tun, only None is offered', async () => {
      const strict = await startMachine(directory, { tunMode: 0o600 })
      try {
        const host = await startHost([...strict.enter, ...USER], path.join(directory, 'router-tun'))
        expect(host.modes).toEqual(['None'])
        expect(host.problem).toContain('run chmod 0666 /dev/net/tun as root')
        await host.close()
      } finally {
        await strict[Symbol.asyncDispose]()
      }
    })
  },
)

/** The processes of the router of a host. */
async function routerProcesses(account: readonly string[]) {
  const file = path.join(directory, `router-${account.length}`, 'router.json')
  const { holder, supervisor, uplink } = JSON.parse(await readFile(file, 'utf8')) as Record<
    'holder' | 'supervisor' | 'uplink',
    ProcessIdentity
  >
  return { holder, supervisor, uplink }
}

/** The names of the namespaces in a router. */
function namespaces({ namespace }: SandboxNetwork): readonly string[] {
  const listing = execFileSync('ls', [path.dirname(namespace)], { encoding: 'utf8' })
  return listing.split('\n').filter((name) => name !== '')
}

/** A server of a sandbox on port 7000. */
async function listen(account: readonly string[], network: SandboxNetwork) {
  const code =
    "require('node:net').createServer((s) => s.end('hello')).listen(7000, () => console.log('ready'))"
  const [program, ...parameters] = [...inside(account, network), process.execPath, '-e', code]
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}
