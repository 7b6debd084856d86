import type { KeyboardEvent, ReactNode } from 'react'
import css from './table.module.css'

/** A column of a table. */
export interface Column<T> {
  readonly id: string
  readonly label: string
  readonly cell: (row: T) => ReactNode
  readonly isNumber?: boolean
}

interface TableProps<T> {
  /** Names the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Opens a row by click or Enter. Arrow keys then move between rows. */
  readonly onOpen?: ((row: T) => void) | undefined
}

/** A table of up to a few hundred rows. On narrow screens, each row becomes a card. */
export function Table<T>({ label, columns, rows, keyOf, onOpen }: TableProps<T>) {
  return (
    <div className={css['scroll']}>
      <table className={css['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={column.isNumber ? css['number'] : ''}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
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

function moveOrOpen(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return
  const { previousElementSibling: before, nextElementSibling: after } = event.currentTarget
  if (event.key === 'Enter') open()
  else if (event.key === 'ArrowDown' && after instanceof HTMLElement) after.focus()
  else if (event.key === 'ArrowUp' && before instanceof HTMLElement) before.focus()
  else return
  event.preventDefault()
}
