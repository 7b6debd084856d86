import { Icon } from '../../design/icon.tsx'
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
}

/** The names of the columns. A click sorts by a column, a second one reverses the order. */
export function GridHead({ columns, template, sort }: GridHeadProps) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={css['head']}
      style={{ gridTemplateColumns: template }}
    >
      {columns.map((column) => (
        <HeadCell key={column.id} column={column} sort={sort} />
      ))}
    </div>
  )
}

function HeadCell({ column, sort }: { readonly column: ListColumn; readonly sort: GridSort }) {
  const { sort: field, label } = column
  if (field === undefined) return <div role="columnheader">{label}</div>
  const isActive = sort.field === field
  const order = sort.isDescending ? 'descending' : 'ascending'
  return (
    <div role="columnheader" aria-sort={isActive ? order : 'none'}>
      <button
        type="button"
        className={css['sort']}
        data-active={isActive || undefined}
        title={`Sort by ${label.toLowerCase()}`}
        onClick={() => sort.onSort(field, isActive && !sort.isDescending)}
      >
        {label}
        {isActive && <Icon name={sort.isDescending ? 'down' : 'up'} size={12} />}
      </button>
    </div>
  )
}
