import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  connectRuntime,
  type RuntimeConnection,
} from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { socketPath } from '../../../src/sandboxes/drivers/runtime/socket-path.ts'
import { serverProgram } from '../../support/server-program.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const START_TIMEOUT_MS = 60_000

export interface SandboxdOptions {
  readonly env?: NodeJS.ProcessEnv
  /** An existing directory, which the caller removes. */
  readonly directory?: string
  /** Runs it as an ordinary user. Only root may ask for it. */
  readonly user?: number
  /** The prefix of a command on a simulated machine, which root runs. */
  readonly enter?: readonly string[]
  /** Values of `SANDBOXD`, such as `capacity=5`. */
  readonly settings?: readonly string[]
  /** Arguments after `sandboxd`. */
  readonly arguments?: readonly string[]
}

/** A real `flotilla sandboxd`. Disposal kills its workloads and removes its directory. */
export interface TestSandboxd extends AsyncDisposable {
  readonly directory: string
  /** `unix:/...` */
  readonly endpoint: string
  readonly pid: number
  readonly connection: RuntimeConnection
  /** Removes all sandboxes, so that their programs keep no processor busy during later tests. */
  clear(): Promise<void>
  /** The log lines so far. */
  log(): string
  /** Sends a signal and waits for the end of the process. */
  stop(signal: NodeJS.Signals): Promise<void>
  /** Starts it again in the same directory, after `stop`. */
  restart(): Promise<void>
}

/** Starts `flotilla sandboxd` in a new temporary directory. */
export async function startSandboxd(options: SandboxdOptions = {}): Promise<TestSandboxd> {
  const directory = options.directory ?? (await createDirectory(options.user))
  let output = ''
  let running = await launch(directory, options, (text) => (output += text)).catch(
    async (error: unknown) => {
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true })
      throw error
    },
  )
  return {
    directory,
    get endpoint() {
      return running.connection.endpoint
    },
    get pid() {
      return running.child.pid ?? 0
    },
    get connection() {
      return running.connection
    },
    clear: () => removeSandboxes(running.connection),
    log: () => output,
    stop: (signal) => stop(running, signal),
    restart: async () => {
      running = await launch(directory, options, (text) => (output += text))
    },
    [Symbol.asyncDispose]: async () => {
      if (running.child.exitCode === null && running.child.signalCode === null) {
        await removeSandboxes(running.connection)
        await stop(running, 'SIGKILL')
      }
      await rm(path.dirname(socketPath(directory)), { recursive: true, force: true })
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The directory of a runtime, which workloads of other users may enter. */
async function createDirectory(user: number | undefined): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'sandboxd-')))
  await chmod(directory, 0o755)
  if (user !== undefined) {
    await chown(directory, user, user)
  }
  return directory
}

type Running = Awaited<ReturnType<typeof launch>>

async function launch(
  directory: string,
  options: SandboxdOptions,
  onOutput: (text: string) => void,
) {
  const { enter = [], user } = options
  const account =
    user === undefined
      ? []
      : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
  const [program = '', ...parameters] = [
    ...enter,
    'sh',
    '-c',
    'cd "$0" && exec "$@"',
    ROOT,
    ...account,
    process.execPath,
    ...serverProgram(),
    'sandboxd',
    ...(options.arguments ?? []),
  ]
  const child = spawn(program, parameters, {
    cwd: ROOT,
    env: {
      ...process.env,
      SANDBOXD: [`dir=${directory}`, ...(options.settings ?? [])].join(),
      SANDBOX_UNISOLATED: 'true',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      onOutput(text)
    })
  }
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!output.includes('sandboxd is ready')) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`sandboxd did not start: ${output}`)
    }
    await sleep(20)
  }
  const id = await readFile(path.join(directory, 'id'), 'utf8')
  return {
    child,
    exited,
    id: id.trim(),
    connection: connectRuntime(`unix:${socketPath(directory)}`),
  }
}

async function stop({ child, exited, connection }: Running, signal: NodeJS.Signals): Promise<void> {
  connection[Symbol.dispose]()
  child.kill(signal)
  await exited
}

async function removeSandboxes({ runtime }: RuntimeConnection): Promise<void> {
  const removals: Promise<unknown>[] = []
  for await (const { sandbox, fence } of runtime.listInstances({})) {
    if (sandbox !== undefined) removals.push(runtime.remove({ sandbox, fence }))
  }
  await Promise.all(removals)
}
