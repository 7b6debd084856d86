import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { must } from '../lib/assert.ts'
import type { Account } from './account.ts'
import type { Log } from '../lib/log/log.ts'
import { programOptions } from './run-program.ts'
import { removeSocketDirectorySync } from './socket-directory.ts'

const TIMEOUT_MS = 10_000
const KEPT_LINES = 20

/** A running PostgreSQL server. */
export interface ServerProcess {
  readonly pid: number
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>
  hasEnded(): boolean
  /** The last lines of the server's log, complete if the server has ended. */
  lastLines(): Promise<string>
  /** Forwards lines about failures of the server to the log from now on. */
  reportFailures(log: Log): void
  /** Ends all sessions and the server, and returns when it has ended. */
  stop(): Promise<void>
}

interface Options {
  readonly postgres: string
  readonly cluster: string
  readonly socketDir: string
  readonly account: Account | null
  /** A pid that `postmaster.pid` may contain and that belongs to no server. */
  readonly stalePid: number | null
}

/** Starts the server, which is not ready for connections yet. */
export async function spawnServer(options: Options): Promise<ServerProcess> {
  const base = programOptions(options.account)
  const child = spawn(options.postgres, parameters(options), {
    ...base,
    env: { ...base.env, ...disregard(options.stalePid) },
    // In its own session, Ctrl-C in the terminal reaches only Flotilla, which stops the server.
    detached: true,
  })
  await once(child, 'spawn')
  const lines: string[] = []
  let log: Log | null = null
  createInterface({ input: must(child.stderr, 'standard error') }).on('line', (line) => {
    lines.push(line)
    if (lines.length > KEPT_LINES) lines.shift()
    if (/^(FATAL|PANIC):/.test(line)) log?.warn({ line }, 'PostgreSQL reports a failure')
  })
  const ended = once(child, 'exit').then(() => undefined)
  const closed = once(child, 'close')
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const interrupt = (): boolean => child.kill('SIGINT')
  // If Flotilla ends without stopping the server, the server ends too, without a long checkpoint. It
  // recovers from its log at the next start.
  const abandon = (): void => {
    child.kill('SIGQUIT')
    removeSocketDirectorySync(options.socketDir)
  }
  process.once('exit', abandon)
  void ended.then(() => process.off('exit', abandon))
  return {
    pid: must(child.pid, 'the pid of PostgreSQL'),
    ended,
    hasEnded,
    lastLines: async () => {
      if (hasEnded()) await closed
      return lines.join('\n')
    },
    reportFailures: (to) => {
      log = to
    },
    stop: async () => {
      log = null
      interrupt()
      const timer = setTimeout(() => child.kill('SIGQUIT'), TIMEOUT_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

function parameters({ cluster, socketDir }: Options): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    port: '5432',
    max_connections: '200',
    shared_buffers: '128MB',
    // I/O workers read pages from the cache of the system with more CPU than the sessions themselves.
    io_method: 'sync',
    // Errors of statements, such as unique violations, are below the level `log`.
    log_min_messages: 'log',
    log_line_prefix: '',
    log_destination: 'stderr',
    logging_collector: 'off',
  }
  return ['-D', cluster, ...Object.entries(settings).flatMap(([key, to]) => ['-c', `${key}=${to}`])]
}

/**
 * PostgreSQL refuses to start if any process has the pid in `postmaster.pid`. It ignores the pid in
 * this variable, and then still looks for live sessions.
 */
function disregard(pid: number | null): NodeJS.ProcessEnv {
  return pid === null ? {} : { PG_GRANDPARENT_PID: String(pid) }
}
