import type { Session } from '../session/session.ts'
import type { Format } from './formats.ts'
import { objectText } from './object-text.ts'
import type { Column } from './column.ts'
import { type Cell, tableLines } from './table.ts'

/** A column with its cell of an item. */
export interface ListColumn<T> extends Column {
  readonly cell: (item: T, now: Date) => Cell
  /** Only with `-o wide`. */
  readonly wide?: boolean | undefined
}

/** A list and its forms. */
export interface PrintedList<T> {
  /** The noun of the items, such as `webhooks`. */
  readonly plural: string
  readonly columns: readonly ListColumn<T>[]
  /** The line of an item with `-o name`. */
  readonly nameOf?: ((item: T) => string) | undefined
  /** The list as the API sends it. */
  readonly document: { readonly kind: string; readonly items: readonly T[] }
}

/** Prints a list as a table, as names, or for programs. */
export async function printList<T>(
  { out, err, now }: Pick<Session, 'out' | 'err' | 'now'>,
  format: Format,
  { plural, columns, nameOf = String, document }: PrintedList<T>,
): Promise<void> {
  const { items } = document
  if (format.name === 'json' || format.name === 'yaml' || format.name === 'jsonpath') {
    out.write(await objectText(format, document))
  } else if (format.name === 'name') {
    for (const item of items) out.write(`${nameOf(item)}\n`)
  } else if (items.length === 0) {
    err.write(`No ${plural} found.\n`)
  } else {
    const shown = columns.filter(({ wide }) => wide !== true || format.name === 'wide')
    const at = now()
    const rows = items.map((item) => shown.map(({ cell }) => cell(item, at)))
    const lines = await tableLines({ columns: shown, rows }, out)
    out.write(`${lines.join('\n')}\n`)
  }
}
