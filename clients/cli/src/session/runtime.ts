import type { Terminal } from '../output/terminal.ts'

/** The surroundings of the command. */
export interface Runtime {
  readonly env: NodeJS.ProcessEnv
  readonly out: Terminal
  readonly err: Terminal
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly now: () => number
  /** Aborts if the user presses Ctrl-C. */
  readonly signal: AbortSignal
}
