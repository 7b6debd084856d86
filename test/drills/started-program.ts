import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded } from '../../src/lib/processes/has-ended.ts'
import { sendSignal } from '../../src/lib/processes/send-signal.ts'

const POLL_MS = 100

/** The output of a program. */
export interface Output {
  /** The first match in the output. Rejects if the program ends before. */
  match(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves when the program has ended, and all programs that share its output. */
  readonly closed: Promise<unknown>
}

/** A running program. */
export interface Started extends AsyncDisposable, Pick<Output, 'match'> {
  /** Sends Ctrl-C and resolves with the exit code, or the signal that ended the program. */
  interrupt(): Promise<number | NodeJS.Signals | null>
}

/** Starts a program as a terminal does. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Started {
  // A process group, as a terminal gives it: Ctrl-C reaches all its programs.
  const child = spawn(program, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { match, closed } = readOutput(child)
  let isClosed = false
  child.once('close', () => (isClosed = true))
  const signalGroup = (signal: NodeJS.Signals): void => {
    // The group may outlive its first program.
    if (child.pid !== undefined && !isClosed) sendSignal(-child.pid, signal)
  }
  return {
    match,
    interrupt: async () => {
      signalGroup('SIGINT')
      await closed
      return child.exitCode ?? child.signalCode
    },
    [Symbol.asyncDispose]: async () => {
      signalGroup('SIGKILL')
      await closed
    },
  }
}

/** Reads the output of a program from its start. */
export function readOutput(child: ChildProcess): Output {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  return {
    match: async (pattern) => {
      for (;;) {
        const match = pattern.exec(output)
        if (match !== null) return match
        if (hasEnded(child)) throw new Error(`${child.spawnfile} ended:\n${output.slice(-4000)}`)
        await sleep(POLL_MS)
      }
    },
    closed: once(child, 'close'),
  }
}
