import { Icon } from '../../design/icon.tsx'
import { ColumnHandle } from './column-handle.tsx'
import type { ListColumn } from './list-columns.tsx'
import css from './resource-grid.module.css'

/** The order of a list. */
export interface GridSort {
  /** The field by which the server sorts. */
  readonly field: string
  readonly isDescending: boolean
  readonly onSort: (field: string, isDescending: boolean) => void
}

interface GridHeadProps {
  readonly columns: readonly ListColumn[]
  readonly template: string
  readonly sort: GridSort
  /** The ID of the element of a column. */
  readonly idOf: (column: ListColumn) => string
  /** The column of the keyboard; null if it is in the rows. */
  readonly active: ListColumn | null
  readonly onResize: (column: string, width: number | null) => void
}

/**
 * The names of the columns. A click sorts by a column, a second one reverses the order. The grid is
 * one stop of Tab: its arrow keys reach the columns too.
 */
export function GridHead({ columns, template, ...props }: GridHeadProps) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={css['head']}
      style={{ gridTemplateColumns: template }}
    >
      {columns.map((column) => (
        <HeadCell key={column.id} column={column} {...props} />
      ))}
    </div>
  )
}

interface HeadCellProps extends Omit<GridHeadProps, 'columns' | 'template'> {
  readonly column: ListColumn
}

function HeadCell({ column, sort, idOf, active, onResize }: HeadCellProps) {
  const { id, sort: field, label } = column
  const isSorted = field !== undefined && sort.field === field
  const order = sort.isDescending ? 'descending' : 'ascending'
  return (
    <div
      role="columnheader"
      id={idOf(column)}
      className={css['column']}
      data-active={active === column || undefined}
      {...(field !== undefined && { 'aria-sort': isSorted ? order : 'none' })}
    >
      {field === undefined ? (
        label
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className={css['sort']}
          data-active={isSorted || undefined}
          title={`Sort by ${label.toLowerCase()}`}
          onClick={() => sortBy(column, sort)}
        >
          {label}
          {isSorted && <Icon name={sort.isDescending ? 'down' : 'up'} size={12} />}
        </button>
      )}
      <ColumnHandle onResize={(width) => onResize(id, width)} />
    </div>
  )
}

/** Sorts by a column, or reverses its order. */
export function sortBy({ sort: field }: ListColumn, sort: GridSort): void {
  if (field !== undefined) sort.onSort(field, sort.field === field && !sort.isDescending)
}
