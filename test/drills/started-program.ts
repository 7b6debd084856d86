import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded } from '../../src/lib/processes/has-ended.ts'

const POLL_MS = 100

/** A running program. */
export interface Started extends AsyncDisposable {
  /** The first match in the output. Rejects if the program ends before. */
  match(pattern: RegExp): Promise<RegExpExecArray>
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
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const closed = once(child, 'close')
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && !hasEnded(child)) process.kill(-child.pid, signal)
  }
  return {
    match: async (pattern) => {
      for (;;) {
        const match = pattern.exec(output)
        if (match !== null) return match
        if (hasEnded(child)) throw new Error(`${program} ended:\n${output.slice(-4000)}`)
        await sleep(POLL_MS)
      }
    },
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
