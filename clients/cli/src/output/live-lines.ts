import type { Terminal } from './terminal.ts'

const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const CLEAR_BELOW = '\u001b[J'
const WRAP_OFF = '\u001b[?7l'
const WRAP_ON = '\u001b[?7h'

/** Lines on a terminal that are replaced in place. */
export interface LiveLines extends Disposable {
  /** Replaces the lines. They must fit the height of the terminal. */
  readonly show: (lines: readonly string[]) => void
}

/** Draws lines in place until it is disposed, which leaves the last lines on the terminal. */
export function openLiveLines(terminal: Terminal): LiveLines {
  let drawn = 0
  terminal.write(HIDE_CURSOR + WRAP_OFF)
  const restore = () => terminal.write(WRAP_ON + SHOW_CURSOR)
  // The process may end without disposing, such as at a second Ctrl-C.
  process.once('exit', restore)
  return {
    show: (lines) => {
      const up = drawn === 0 ? '\r' : `\r\u001b[${drawn}A`
      terminal.write(`${up}${CLEAR_BELOW}${lines.map((line) => `${line}\n`).join('')}`)
      drawn = lines.length
    },
    [Symbol.dispose]: () => {
      process.off('exit', restore)
      restore()
    },
  }
}
