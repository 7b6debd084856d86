import type { Column } from './column.ts'
import type { Terminal } from './terminal.ts'
import { fitColumns } from './fit-columns.ts'
import { visibleText } from './visible-text.ts'

const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * A function that returns how many columns a text takes. Only texts with other characters than ASCII
 * load the tables of wide characters, which are slow to load.
 */
async function textWidth(texts: Iterable<string>): Promise<(text: string) => number> {
  for (const text of texts) {
    if (PRINTABLE_ASCII.test(text)) continue
    const { default: stringWidth } = await import('string-width')
    return stringWidth
  }
  return (text) => text.length
}

export type Tone = 'good' | 'bad' | 'warning' | 'quiet'

/** A cell: its text, and its meaning if it has a colour. */
export type Cell = string | { readonly text: string; readonly tone: Tone | null }

export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

const GAP = '   '

/**
 * The lines of a table without borders. On a terminal, they fit its width: long texts are shortened
 * first, then less important columns are omitted. Pipes and files receive everything. If a table is
 * printed in parts, `widths` keeps the widths of its columns, so that the parts align.
 */
export async function tableLines(
  { columns, rows }: Table,
  { columns: width, colors }: Pick<Terminal, 'columns' | 'colors'>,
  widths: number[] = [],
): Promise<readonly string[]> {
  const cells = rows.map((row) => row.map(safeCell))
  const widthOf = await textWidth(cells.flatMap((row) => row.map(({ text }) => text)))
  const natural = columns.map(({ header }, index) =>
    cells.reduce(
      (most, row) => Math.max(most, widthOf(row[index]?.text ?? '')),
      Math.max(header.length, widths[index] ?? 0),
    ),
  )
  widths.splice(0, widths.length, ...natural)
  const fitted = fitColumns(columns, natural, { width, gap: GAP.length })
  const paint = {
    good: colors.green,
    bad: colors.red,
    warning: colors.yellow,
    quiet: colors.dim,
  }
  const lineOf = (row: readonly { readonly text: string; readonly tone: Tone | null }[]) =>
    fitted
      .map(({ index, width: size }, position) => {
        const { text, tone } = row[index] ?? { text: '', tone: null }
        const shown = truncate(text, size, widthOf)
        const isLast = position === fitted.length - 1
        const padding = isLast ? '' : ' '.repeat(size - widthOf(shown)) + GAP
        return (tone === null ? shown : paint[tone](shown)) + padding
      })
      .join('')
      .trimEnd()
  const header = columns.map(({ header: text }) => ({ text, tone: null }))
  return [colors.bold(lineOf(header)), ...cells.map(lineOf)]
}

function safeCell(cell: Cell): { readonly text: string; readonly tone: Tone | null } {
  const { text, tone } = typeof cell === 'string' ? { text: cell, tone: null } : cell
  return { text: visibleText(text), tone }
}

/** Shortens a text to a width, with an ellipsis at the end if something is missing. */
function truncate(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += widthOf(character)
    if (used > width - 1) break
    kept += character
  }
  return `${kept}…`
}
