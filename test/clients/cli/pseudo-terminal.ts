import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'

const DRIVER = fileURLToPath(new URL('pseudo-terminal.py', import.meta.url))
const CTRL_C = '\u0003'

interface TerminalOptions {
  readonly env: NodeJS.ProcessEnv
  readonly columns?: number
  readonly rows?: number
}

/** A command in a pseudo terminal. */
export interface PseudoTerminal extends AsyncDisposable {
  /** Everything that was printed, with escape sequences. */
  readonly printed: () => string
  /** Waits until a text was printed after everything that earlier calls have found. */
  readonly shows: (text: string | RegExp) => Promise<void>
  readonly type: (text: string) => void
  readonly pressCtrlC: () => void
  readonly resize: (columns: number, rows: number) => void
  /** The exit code. */
  readonly exited: Promise<number | null>
  /** Whether the command has left the modes of the terminal as they were. */
  readonly isRestored: () => boolean
}

/** Starts a command in a pseudo terminal. */
export function openPseudoTerminal(
  command: readonly string[],
  { env, columns = 80, rows = 24 }: TerminalOptions,
): PseudoTerminal {
  const child = spawn('python3', [DRIVER, `${columns}`, `${rows}`, ...command], {
    env: { TERM: 'xterm-256color', ...env },
    stdio: 'pipe',
  })
  let printed = ''
  let errors = ''
  let position = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => undefined)
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  return {
    printed: () => printed,
    shows: async (text) => {
      const expected = text instanceof RegExp ? text : new RegExp(escaped(text))
      await vi.waitFor(() => expect(printed.slice(position)).toMatch(expected), {
        timeout: 60_000,
        interval: 20,
      })
      position = printed.length
    },
    type: (text) => void child.stdin.write(text),
    pressCtrlC: () => void child.stdin.write(CTRL_C),
    resize: (width, height) => void child.stdin.write(`\0${width} ${height}\n`),
    exited,
    isRestored: () => errors === '',
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      child.kill('SIGKILL')
      await exited
    },
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
