import type { Input } from '../input/input.ts'
import type { Terminal } from '../output/terminal.ts'

/** The surroundings of the command. */
export interface Runtime {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Input
  readonly out: Terminal
  readonly err: Terminal
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly now: () => number
  /** Calls a function after some milliseconds. Returns a function that prevents this. */
  readonly startTimer: (ms: number, callback: () => void) => () => void
  /** Aborts if the user presses Ctrl-C. */
  readonly signal: AbortSignal
}
