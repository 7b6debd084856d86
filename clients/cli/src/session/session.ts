import type { Client, KindDescription } from '../../../typescript/src/index.ts'
import type { Connection } from '../connection/resolve-connection.ts'
import type { Input } from '../input/input.ts'
import type { Terminal } from '../output/terminal.ts'

/** The connection, the terminal and the environment of a command's action. */
export interface Session {
  readonly client: Client
  /** The kinds of the server, which are read once. */
  readonly kinds: () => Promise<readonly KindDescription[]>
  /** The server, its token and how they were chosen. */
  readonly connection: Connection
  readonly stdin: Input
  /** Standard output: results only. */
  readonly out: Terminal
  /** Standard error: progress, notes and errors. */
  readonly err: Terminal
  readonly env: NodeJS.ProcessEnv
  /** The server's time, from its last response. */
  readonly now: () => Date
  /** Calls a function after some milliseconds. Returns a function that prevents this. */
  readonly startTimer: (ms: number, callback: () => void) => () => void
  /** Aborts if the user presses Ctrl-C. Pass it to every call of the client. */
  readonly signal: AbortSignal
}
