import type { createColors } from 'picocolors'

/** An output of the command: standard output or standard error. */
export interface Terminal {
  readonly write: (text: string) => void
  /** Whether a person reads the output, rather than a pipe or a file. */
  readonly isTty: boolean
  /** The current width; infinite unless it is a terminal. */
  readonly columns: number
  /** The current height; infinite unless it is a terminal. */
  readonly rows: number
  /** Functions that add colours, or return the text unchanged. */
  readonly colors: Colors
  /** Calls a function whenever the size changes. Returns a function that ends this. */
  readonly onResize: (changed: () => void) => () => void
}

export type Colors = ReturnType<typeof createColors>
