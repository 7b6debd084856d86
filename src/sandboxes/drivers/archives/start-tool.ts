import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { errorCode } from 'flotilla'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/** The account that a program runs as; null for the account of this process. */
export type Account = { readonly uid: number; readonly gid: number } | null

export interface ToolOptions {
  readonly cwd: string
  readonly account: Account
  readonly signal: AbortSignal
  /** The beginning of the command, which confines the program; absent if nothing does. */
  readonly confinement?: readonly string[]
}

/** A running program, such as tar. */
export interface Tool {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The program's output. It fails with the program's failure if its stream closes early. */
  readonly output: AsyncIterable<Buffer>
  /** Rejects unless the program succeeds. The message contains its error output. */
  readonly exited: Promise<void>
}

const MAX_STDERR = 2000
/** Full file systems and quotas, in the words of tar and zstd with LC_ALL=C. */
const FULL = /no space left on device|disk quota exceeded|file too large|wrote only \d+ of/i

/**
 * Starts a program without a shell and with a minimal environment: variables such as TAR_OPTIONS
 * must not add options. An abort kills it.
 */
export function startTool(name: string, args: readonly string[], options: ToolOptions): Tool {
  const [program = name, ...parameters] = [...(options.confinement ?? []), name, ...args]
  const child = spawn(program, parameters, {
    cwd: options.cwd,
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options.account,
  })
  const kill = (): void => void child.kill('SIGKILL')
  options.signal.addEventListener('abort', kill, { once: true })
  // A program that ends early closes its input. Its exit code reports the failure.
  child.stdin.on('error', () => {})
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-MAX_STDERR)
  })
  const exited = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(startFailure(name, error)))
    child.once('close', (code, signal) => {
      options.signal.removeEventListener('abort', kill)
      if (options.signal.aborted) reject(options.signal.reason)
      else if (code === 0) resolve()
      else reject(toolFailure(name, `${code ?? signal}`, stderr))
    })
  })
  // Callers await it after the streams; until then a failure is not unhandled.
  exited.catch(() => {})
  if (options.signal.aborted) kill()
  return { child, output: outputOf(child.stdout, exited), exited }
}

async function* outputOf(stdout: Readable, exited: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* stdout
  } catch (error) {
    if (errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE') await exited
    throw error
  }
}

function startFailure(name: string, cause: Error): SandboxDriverError {
  const missing = errorCode(cause) === 'ENOENT'
  return new SandboxDriverError(
    missing ? 'FAILED_PRECONDITION' : 'INTERNAL',
    missing ? `the program '${name}' is missing: install it` : `cannot start '${name}'`,
    { cause },
  )
}

function toolFailure(name: string, status: string, stderr: string): SandboxDriverError {
  const message = `${name} failed with status ${status}: ${stderr.trim()}`
  return FULL.test(stderr)
    ? new SandboxDriverError('RESOURCE_EXHAUSTED', message, { reason: 'CapacityExhausted' })
    : new SandboxDriverError('INTERNAL', message)
}
