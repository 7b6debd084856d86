const MAX_LINES = 5000

/** Output in lines. The last line grows until its line feed. */
export interface LineBuffer {
  /** Complete lines, and the last one. */
  readonly lines: readonly string[]
  /** Lines that were dropped because there were too many. */
  readonly dropped: number
}

export const EMPTY_LINES: LineBuffer = { lines: [''], dropped: 0 }

/** Appends text and keeps the newest lines. */
export function appendText({ lines, dropped }: LineBuffer, text: string): LineBuffer {
  if (text === '') return { lines, dropped }
  const [first = '', ...others] = text.split('\n')
  const all = [...lines.slice(0, -1), (lines.at(-1) ?? '') + first, ...others]
  const surplus = Math.max(0, all.length - MAX_LINES)
  return { lines: surplus === 0 ? all : all.slice(surplus), dropped: dropped + surplus }
}
