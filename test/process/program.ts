import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { must } from '../../src/lib/assert.ts'
import { LONG_TIMEOUTS } from '../support/long-timeouts.ts'
import { serverProgram } from '../support/server-program.ts'

/** The ports of the server, from its `ready` log line. */
export interface Ports {
  readonly port: number
  readonly healthPort: number
  readonly metricsPort: number
}

/** A server in a separate process. */
export interface Program extends AsyncDisposable {
  readonly pid: number
  /** The standard output so far. */
  output(): string
  /** The standard error so far. */
  errors(): string
  /**
   * Resolves with the ports when the server is ready; rejects if the process ends before, or if its log
   * does not say so.
   */
  ready(): Promise<Ports>
  /** Resolves with the exit code, or null if a signal ended the process. */
  readonly exited: Promise<number | null>
  /** Resolves with the signal that ended the process, or null if it exited. */
  readonly signalled: Promise<NodeJS.Signals | null>
  kill(signal: NodeJS.Signals): void
  /** Closes the reader of standard error. */
  closeErrors(): void
}

/** The levels at which a server does not log its ports. */
const QUIET_LEVELS = ['warn', 'error', 'fatal']

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the server on free ports as one process, with only these settings. */
export function startProgram(env: NodeJS.ProcessEnv, args: readonly string[] = []): Program {
  return startNode([...serverProgram(), ...args], { ...LONG_TIMEOUTS, ...env })
}

/** Runs a Node program in the repository or `cwd`, with only these settings and free ports. */
export function startNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string = ROOT,
): Program {
  const { PATH, HOME, TMPDIR } = process.env
  const sandboxes = { SANDBOX_RUNTIME: 'off', SANDBOX_UNISOLATED: 'true' }
  const ports = { PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0', WORKERS: '0' }
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH, HOME, TMPDIR, ...ports, ...sandboxes, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  const signalled = exited.then(() => child.signalCode)
  const untilReady = new Promise<void>((resolve) => {
    const search = (): void => {
      if (readyLine(output) === null) return
      child.stdout.off('data', search)
      resolve()
    }
    child.stdout.on('data', search)
  })
  return {
    pid: must(child.pid, 'a process id'),
    output: () => output,
    errors: () => errors,
    ready: async () => {
      const level = env['LOG_LEVEL'] ?? 'info'
      if (QUIET_LEVELS.includes(level)) {
        throw new Error(`LOG_LEVEL=${level} hides the line with the ports: do not set it`)
      }
      await Promise.race([untilReady, exited])
      const ports = readyLine(output)
      if (ports === null) throw new Error(`the server ended: ${output}${errors}`)
      return ports
    },
    exited,
    signalled,
    closeErrors: () => void child.stderr.destroy(),
    kill: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

function readyLine(output: string): Ports | null {
  const line = output
    .split('\n')
    .find((text) => text.includes('"msg":"ready"') && text.endsWith('}'))
  if (line === undefined) return null
  const { port, health_port, metrics_port } = JSON.parse(line)
  return { port, healthPort: health_port, metricsPort: metrics_port }
}
