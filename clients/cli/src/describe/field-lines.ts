import type { Terminal } from '../output/terminal.ts'
import { visibleText } from '../output/visible-text.ts'
import { wrapText } from '../output/wrap-text.ts'

/** The lines of named values, aligned. Values that are null are omitted. */
export function fieldLines(
  fields: Readonly<Record<string, string | null>>,
  { columns, colors }: Terminal,
): readonly string[] {
  const shown = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null,
  )
  const width = Math.max(...shown.map(([name]) => name.length)) + 3
  return shown.flatMap(([name, value]) => {
    const lines = wrapText(visibleText(value), Math.max(20, columns - width))
    return lines.map((line, index) =>
      index === 0 ? `${colors.bold(`${name}:`.padEnd(width))}${line}` : ' '.repeat(width) + line,
    )
  })
}
