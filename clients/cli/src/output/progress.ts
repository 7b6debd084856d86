import type { Terminal } from './terminal.ts'
import { visibleText } from './visible-text.ts'

/** A line that shows how far a wait is. */
export interface Progress extends Disposable {
  readonly update: (text: string) => void
  /** Removes the line, so that other output can follow. */
  readonly clear: () => void
}

const CLEAR_LINE = '\r\u001b[K'

/** On a terminal, one line that is replaced; elsewhere, a line for each change. */
export function openProgress(err: Terminal): Progress {
  let shown = ''
  const clear = () => {
    if (err.isTty && shown !== '') err.write(CLEAR_LINE)
    shown = ''
  }
  return {
    update: (text) => {
      const line = visibleText(text)
      if (line === shown) return
      shown = line
      if (err.isTty) err.write(CLEAR_LINE + err.colors.dim(line.slice(0, err.columns - 1)))
      else err.write(`${line}\n`)
    },
    clear,
    [Symbol.dispose]: clear,
  }
}
