import type { Column } from '../output/column.ts'
import { type Cell, tableLines } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'
import { visibleText } from '../output/visible-text.ts'
import { wrapText } from '../output/wrap-text.ts'

const INDENT = '  '

export interface SectionRow {
  readonly cells: readonly Cell[]
  /** A text below the row that is never shortened. */
  readonly note?: string | null | undefined
}

export interface Section {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly SectionRow[]
  /** Printed without rows. */
  readonly empty: string
}

/** The lines of a titled table. */
export async function sectionLines(
  { title, columns, rows, empty }: Section,
  out: Terminal,
): Promise<readonly string[]> {
  if (rows.length === 0) return [`${out.colors.bold(`${title}:`)} ${out.colors.dim(empty)}`]
  const width = out.columns - INDENT.length
  const cells = rows.map((row) => row.cells)
  const [header = '', ...lines] = await tableLines(
    { columns, rows: cells },
    { columns: width, colors: out.colors },
  )
  const noteWidth = Math.max(20, width - 2 * INDENT.length)
  const body = rows.flatMap(({ note }, index) => [
    `${INDENT}${lines[index] ?? ''}`,
    ...(note === null || note === undefined || note === ''
      ? []
      : wrapText(visibleText(note), noteWidth).map((line) => INDENT.repeat(3) + line)),
  ])
  return [out.colors.bold(`${title}:`), INDENT + header, ...body]
}
