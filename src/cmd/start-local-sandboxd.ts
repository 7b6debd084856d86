import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, open, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from './settings.ts'
import {
  connectRuntime,
  type RuntimeConnection,
} from '../sandboxes/drivers/protocol/connect-runtime.ts'
import { socketPath } from '../sandboxes/drivers/runtime/socket-path.ts'
import { readIfPresent } from '../lib/files/read-if-present.ts'
import { hasEnded } from '../lib/processes/has-ended.ts'
import { processStart } from '../lib/processes/process-start.ts'
import { sendSignalIfOwn } from '../lib/processes/send-signal.ts'
import { MANAGED_ARGUMENT, managedFile } from '../sandboxes/sandboxd/managed-sandboxd.ts'
import { sandboxdDirectory } from '../sandboxes/sandboxd/sandboxd-config.ts'
import { sandboxdEnvironment } from './sandboxd-environment.ts'
import { superviseSandboxd } from '../sandboxes/sandboxd/supervise-sandboxd.ts'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 20_000
const PROBE_TIMEOUT_MS = 2000
const POLL_MS = 50
const LOG_TAIL = 2000

interface Options {
  readonly config: Config
  readonly log: Logger
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/** The sandboxd of this machine. Disposal stops it, unless it was started by hand. */
export interface LocalSandboxd extends AsyncDisposable {
  readonly endpoint: string
  readonly connection: RuntimeConnection
}

/**
 * Starts `flotilla sandboxd` as a separate process, which survives a crash of this one, or finds the
 * one that an earlier server or a user has started. Unless a user has started it, it is started
 * again when it ends, and then finds its workloads.
 */
export async function startLocalSandboxd(options: Options): Promise<LocalSandboxd> {
  const { config, log, signal } = options
  const directory = await createDirectory(config)
  const endpoint = `unix:${socketPath(directory)}`
  const connection = connectRuntime(endpoint)
  const found = await answers(connection)
  const logFile = path.join(directory, 'sandboxd.log')
  const child = found ? null : await launch(config, directory, logFile)
  try {
    if (child !== null) await untilReady(connection, child, logFile)
    let managed = await managedPid(directory)
    log.info(
      { endpoint, pid: managed, log_file: logFile },
      found ? 'found sandboxd' : 'started sandboxd',
    )
    // A second signal ends this process without the disposal.
    const kill = (): void => {
      if (signal.aborted && managed !== null) sendSignalIfOwn(managed, 'SIGKILL')
    }
    process.on('exit', kill)
    const restart = async (): Promise<void> => {
      await startAgain(options, { directory, connection, logFile })
      managed = await managedPid(directory)
      log.warn(
        { endpoint, pid: managed, log_file: logFile },
        'sandboxd had ended; started it again',
      )
    }
    const supervision = managed === null ? null : superviseManaged(options, { directory, restart })
    return {
      endpoint,
      connection,
      [Symbol.asyncDispose]: async () => {
        await supervision?.[Symbol.asyncDispose]()
        connection[Symbol.dispose]()
        if (managed !== null) await stop(managed)
        process.off('exit', kill)
      },
    }
  } catch (error) {
    connection[Symbol.dispose]()
    child?.kill('SIGKILL')
    throw error
  }
}

interface Place {
  readonly directory: string
  readonly connection: RuntimeConnection
  readonly logFile: string
}

async function startAgain({ config }: Options, { directory, connection, logFile }: Place) {
  const child = await launch(config, directory, logFile)
  try {
    await untilReady(connection, child, logFile)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

interface Restart {
  readonly directory: string
  readonly restart: () => Promise<void>
}

function superviseManaged({ log, signal }: Options, { directory, restart }: Restart) {
  return superviseSandboxd({
    isAlive: async () => signal.aborted || (await managedPid(directory)) !== null,
    restart,
    onError: (error) => log.error({ err: error }, 'sandboxd has ended and cannot be started again'),
  })
}

/** The real path of the directory, which the path of the socket depends on. */
async function createDirectory(config: Config): Promise<string> {
  const directory = sandboxdDirectory(config)
  const created = await mkdir(directory, { recursive: true })
  // Root's workloads run as other users.
  if (created !== undefined) await chmod(directory, process.getuid?.() === 0 ? 0o711 : 0o700)
  return realpath(directory)
}

async function answers({ runtime }: RuntimeConnection): Promise<boolean> {
  return runtime.getRuntimeInfo({}, { timeoutMs: PROBE_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )
}

async function launch(config: Config, directory: string, logFile: string) {
  const output = await open(logFile, 'a', 0o600)
  try {
    const child = spawn(process.execPath, [...program(), 'sandboxd', MANAGED_ARGUMENT], {
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      env: sandboxdEnvironment(config, directory),
    })
    await once(child, 'spawn')
    child.unref()
    return child
  } finally {
    await output.close()
  }
}

/** Runs the entry of this program, which is TypeScript in development. */
function program(): readonly string[] {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = fileURLToPath(new URL(isSource ? './server.ts' : './server.js', import.meta.url))
  return isSource ? ['--import', 'tsx', entry] : [entry]
}

async function untilReady(
  connection: RuntimeConnection,
  child: Awaited<ReturnType<typeof launch>>,
  logFile: string,
): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await answers(connection))) {
    if (hasEnded(child) || performance.now() > deadline) {
      const tail = (await readFile(logFile, 'utf8')).slice(-LOG_TAIL).trim()
      throw new Error(`sandboxd ${hasEnded(child) ? 'ended' : 'does not answer'}: ${tail}`)
    }
    await sleep(POLL_MS)
  }
}

/** The pid of a sandboxd that a server has started; null if it was started by hand. */
async function managedPid(directory: string): Promise<number | null> {
  const text = await readIfPresent(managedFile(directory))
  const pid = Number(text)
  return text !== null && Number.isInteger(pid) && (await processStart(pid)) !== null ? pid : null
}

async function stop(pid: number): Promise<void> {
  const start = await processStart(pid)
  if (start === null) return
  sendSignalIfOwn(pid, 'SIGTERM')
  const deadline = performance.now() + STOP_TIMEOUT_MS
  while ((await processStart(pid)) === start) {
    if (performance.now() > deadline) return sendSignalIfOwn(pid, 'SIGKILL')
    await sleep(POLL_MS)
  }
}
