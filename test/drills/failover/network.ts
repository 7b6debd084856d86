import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runTool } from '../run-tool.ts'

const BRIDGE = 'flotilla-ha'
const PREFIX = '10.231.77'
const TIMEOUT_MS = 20_000
/** Each machine has its own directory of sockets. The mounts of `ip netns exec` are private. */
const ISOLATE = `
  mount -t tmpfs tmpfs /run/postgresql && chown postgres: /run/postgresql &&
  exec setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"`

/** A machine of the network: a namespace with its own address and processes. */
export interface Machine {
  readonly name: string
  readonly address: string
  /** Starts a program as the user `postgres`. Its output goes to a file. */
  start(command: readonly string[], env: NodeJS.ProcessEnv, log: string): ChildProcess
  /** Sends a signal to all processes of the machine. */
  signal(signal: NodeJS.Signals): Promise<void>
  /** Connects or disconnects the machine. */
  link(state: 'up' | 'down'): Promise<void>
}

/** Machines on one bridge. The drill itself is a further machine. */
export interface Network extends AsyncDisposable {
  /** The address of the machine of the drill. */
  readonly address: string
  readonly machines: readonly Machine[]
}

async function ip(...args: readonly string[]): Promise<string> {
  return runTool('ip', args, { cwd: '/', timeoutMs: TIMEOUT_MS })
}

/** Creates the bridge and the machines. Remains of an earlier run are removed first. */
export async function createNetwork(names: readonly string[]): Promise<Network> {
  await removeNetwork(names)
  await ip('link', 'add', BRIDGE, 'type', 'bridge')
  await ip('address', 'add', `${PREFIX}.1/24`, 'dev', BRIDGE)
  await ip('link', 'set', BRIDGE, 'up')
  const machines: Machine[] = []
  for (const [index, name] of names.entries()) {
    machines.push(await createMachine(name, `${PREFIX}.${index + 11}`))
  }
  return {
    address: `${PREFIX}.1`,
    machines,
    [Symbol.asyncDispose]: () => removeNetwork(names),
  }
}

async function createMachine(name: string, address: string): Promise<Machine> {
  const space = spaceOf(name)
  const device = deviceOf(name)
  await ip('netns', 'add', space)
  await ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  await ip('link', 'set', device, 'master', BRIDGE, 'up')
  await ip('-n', space, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  await ip('-n', space, 'link', 'set', 'eth0', 'up')
  await ip('-n', space, 'link', 'set', 'lo', 'up')
  return {
    name,
    address,
    start: (command, env, log) => {
      const output = openSync(log, 'a')
      const child = spawn('ip', ['netns', 'exec', space, 'sh', '-c', ISOLATE, 'sh', ...command], {
        cwd: '/',
        env,
        stdio: ['ignore', output, output],
        detached: true,
      })
      child.unref()
      return child
    },
    signal: (signal) => signalAll(space, signal),
    link: async (state) => void (await ip('link', 'set', device, state)),
  }
}

function deviceOf(name: string): string {
  return `flha-${name}`
}

function spaceOf(name: string): string {
  return `${BRIDGE}-${name}`
}

async function signalAll(space: string, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await pidsOf(space)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

async function pidsOf(space: string): Promise<readonly number[]> {
  const output = await ip('netns', 'pids', space).catch(() => '')
  return output.split('\n').flatMap((line) => (/^\d+$/.test(line) ? [Number(line)] : []))
}

async function removeNetwork(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const space = spaceOf(name)
    for (let attempt = 0; (await pidsOf(space)).length > 0 && attempt < 100; attempt += 1) {
      await signalAll(space, 'SIGKILL')
      await sleep(50)
    }
    await ip('netns', 'delete', space).catch(() => undefined)
    // The kernel removes the devices of a deleted namespace later.
    await ip('link', 'delete', deviceOf(name)).catch(() => undefined)
  }
  await ip('link', 'delete', BRIDGE).catch(() => undefined)
}

/** Starts a program on the machine of the drill, which ends with it. Its output goes to a file. */
export function startLocally(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  log: string,
): AsyncDisposable {
  const output = openSync(log, 'a')
  const args = ['--pdeathsig=KILL', '--', ...command]
  const child = spawn('setpriv', args, { cwd: '/', env, stdio: ['ignore', output, output] })
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
