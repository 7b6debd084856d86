import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { Interrupted } from '../../../clients/cli/src/errors/interrupted.ts'
import { openTerminal } from '../../../clients/cli/src/output/open-terminal.ts'
import { runCommand } from '../../../clients/cli/src/program/run-command.ts'
import { startTimer } from '../../../clients/cli/src/waiting/start-timer.ts'

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  /** The content of standard input. */
  readonly input?: string
}

interface Result {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A command that may not have ended. */
interface Running {
  readonly result: Promise<Result>
  /** The standard error so far. */
  readonly errors: () => string
  /** Presses Ctrl-C. */
  readonly interrupt: () => void
  /** Ends the time limits that the command waits for. */
  readonly expire: () => void
}

/** The command, run in the process of the test, with its own configuration. */
export interface FlotillaCommand extends AsyncDisposable {
  /** The folder of the command's configuration. */
  readonly configFolder: string
  /** Runs the command without a terminal. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Result>
  /** Starts the command like `run`, without waiting for its end. */
  readonly start: (args: readonly string[], options?: RunOptions) => Running
}

/** Prepares the command for the tests of a file. `origin` is the URL of its server. */
export async function openFlotillaCommand(origin: string): Promise<FlotillaCommand> {
  const configFolder = await mkdtemp(path.join(tmpdir(), 'flotilla-config-'))
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, XDG_CONFIG_HOME: configFolder, FLOTILLA_SERVER: origin }
  const start: FlotillaCommand['start'] = (args, options = {}) =>
    startCommand(args, { ...options, env: { ...env, ...options.env } })
  return {
    configFolder,
    run: (args, options) => start(args, options).result,
    start,
    [Symbol.asyncDispose]: () => rm(configFolder, { recursive: true, force: true }),
  }
}

function startCommand(args: readonly string[], { env = {}, input = '' }: RunOptions): Running {
  const out = collect()
  const err = collect()
  const ended = new AbortController()
  const limits = new Set<() => void>()
  const running = runCommand(args, '1.2.3', {
    env,
    stdin: { isTty: false, read: () => Promise.resolve(input) },
    out: openTerminal(out.stream, env),
    err: openTerminal(err.stream, env),
    now: Date.now,
    startTimer: (ms, callback) => {
      limits.add(callback)
      const stop = startTimer(ms, callback)
      return () => {
        limits.delete(callback)
        stop()
      }
    },
    signal: ended.signal,
  })
  return {
    result: running.then((code) => ({ code, out: out.text(), err: err.text() })),
    errors: err.text,
    interrupt: () => ended.abort(new Interrupted('interrupted')),
    expire: () => {
      for (const end of limits) end()
    },
  }
}

function collect() {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: unknown, _encoding, done) => {
      text += String(chunk)
      done()
    },
  })
  return { stream, text: () => text }
}
