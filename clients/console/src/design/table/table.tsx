import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Icon } from '../icon.tsx'
import { type SortValue, sortRows } from './sort-rows.ts'
import css from './table.module.css'

/** A column of a table. */
export interface Column<T> {
  readonly id: string
  readonly label: string
  readonly cell: (row: T) => ReactNode
  readonly isNumber?: boolean
  /** The value by which users can sort the loaded rows; without it, they cannot. */
  readonly sortValue?: (row: T) => SortValue
}

interface TableProps<T> {
  /** Names the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Opens a row by click or Enter. Arrow keys then move between rows. */
  readonly onOpen?: ((row: T) => void) | undefined
  /** Aligns the first column with the title of a page without space around its content. */
  readonly isFlush?: boolean
}

interface TableSort {
  readonly column: string
  readonly isDescending: boolean
}

/** A table of up to a few hundred rows. On narrow screens, each row becomes a card. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, keyOf, onOpen, isFlush = false } = props
  const [sort, setSort] = useState<TableSort | null>(null)
  const value = columns.find(({ id }) => id === sort?.column)?.sortValue
  const sorted = value === undefined ? rows : sortRows(rows, value, sort?.isDescending === true)
  return (
    <div className={`${css['scroll']} ${isFlush ? css['flush'] : ''}`}>
      <table className={css['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr
              key={keyOf(row)}
              {...(onOpen && {
                className: css['open'],
                tabIndex: 0,
                onClick: () => onOpen(row),
                onKeyDown: (event) => moveOrOpen(event, () => onOpen(row)),
              })}
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  data-label={column.label}
                  className={column.isNumber ? css['number'] : ''}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadCellProps<T> {
  readonly column: Column<T>
  readonly sort: TableSort | null
  readonly onSort: (sort: TableSort) => void
}

/** The name of a column. A click sorts by it, a second one reverses the order. */
function HeadCell<T>({ column, sort, onSort }: HeadCellProps<T>) {
  const { id, label, isNumber = false, sortValue } = column
  const className = isNumber ? css['number'] : ''
  if (sortValue === undefined) {
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    )
  }
  const isSorted = sort?.column === id
  const isDescending = isSorted && sort.isDescending
  const order = isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" className={className} aria-sort={isSorted ? order : 'none'}>
      <button
        type="button"
        className={css['sort']}
        onClick={() => onSort({ column: id, isDescending: isSorted && !isDescending })}
      >
        {label}
        {isSorted && <Icon name={isDescending ? 'down' : 'up'} size={12} />}
      </button>
    </th>
  )
}

function moveOrOpen(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return
  const { previousElementSibling: before, nextElementSibling: after } = event.currentTarget
  if (event.key === 'Enter') open()
  else if (event.key === 'ArrowDown' && after instanceof HTMLElement) after.focus()
  else if (event.key === 'ArrowUp' && before instanceof HTMLElement) before.focus()
  else return
  event.preventDefault()
}
