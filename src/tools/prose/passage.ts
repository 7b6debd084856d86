/** A piece of prose in a file: lines of text without their comment markers, joined by `\n`. */
export interface Passage {
  /** The line of the file that the text starts on, from 1. */
  readonly line: number
  readonly text: string
}

/** Joins adjacent prose lines of a file to passages. A line that is null holds no prose. */
export function passagesOf(lines: readonly (string | null)[]): readonly Passage[] {
  const passages: Passage[] = []
  let open: string[] = []
  for (const [index, line] of [...lines, null].entries()) {
    if (line !== null) {
      open.push(line)
    } else if (open.length > 0) {
      passages.push({ line: index - open.length + 1, text: open.join('\n') })
      open = []
    }
  }
  return passages
}
