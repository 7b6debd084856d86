import { spawn } from 'node:child_process'
import { errorCode } from 'flotilla'

/** A run of a program that has ended. */
export interface ProgramResult {
  /** Null if a signal ended it or if it could not be started. */
  readonly code: number | null
  /** Standard output and standard error, shortened. */
  readonly output: string
  readonly isMissing: boolean
  readonly timedOut: boolean
}

export interface ProgramOptions {
  readonly timeoutMs: number
  readonly cwd?: string
  /** Longer output is cut off. */
  readonly maxOutput?: number
}

const MAX_OUTPUT = 8000
const CLOSE_TIMEOUT_MS = 1000
/** Without XDG_RUNTIME_DIR, criu warns if it runs as another user than root. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  XDG_RUNTIME_DIR: '/run',
}

/** Runs a program to its end without a shell. It is killed after the timeout. Never rejects. */
export function runProgram(
  command: readonly string[],
  { timeoutMs, cwd = '/', maxOutput = MAX_OUTPUT }: ProgramOptions,
): Promise<ProgramResult> {
  const [program = '', ...parameters] = command
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      cwd,
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let timedOut = false
    let closing: NodeJS.Timeout | undefined
    const collect = (text: string): void => {
      output = `${output}${text}`.slice(0, maxOutput)
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, timeoutMs)
    const end = (code: number | null, isMissing: boolean): void => {
      clearTimeout(timer)
      clearTimeout(closing)
      resolve({ code, output, isMissing, timedOut })
    }
    child.once('error', (error) => end(null, errorCode(error) === 'ENOENT'))
    // Output can arrive after the exit. Descendants may keep it open for longer.
    child.once('exit', (code) => (closing = setTimeout(() => end(code, false), CLOSE_TIMEOUT_MS)))
    child.once('close', (code) => end(code, false))
  })
}
