import { memo } from 'react'
import type { ListedResource } from '../listed-resource.ts'
import type { Row } from '../rows/row-pages.ts'
import type { ListColumn } from './list-columns.tsx'
import css from './resource-grid.module.css'

interface GridRowProps {
  readonly id: string
  /** Undefined while its page is loading. */
  readonly row: Row<ListedResource> | undefined
  readonly isFresh: boolean
  readonly isActive: boolean
  readonly position: number
  readonly start: number
  readonly height: number
  readonly columns: readonly ListColumn[]
  readonly template: string
  readonly onOpen: (resource: ListedResource) => void
}

/** A row. It is drawn again only if its resource or its place changes. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, row, isFresh, isActive, position, start, height, columns, template, onOpen } = props
  const classes = [
    css['row'],
    isActive && css['active'],
    isFresh && css['fresh'],
    row?.isGone === true && css['gone'],
  ]
  return (
    // The grid handles the keys of all rows.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="row"
      aria-rowindex={position + 2}
      aria-selected={isActive}
      className={classes.filter(Boolean).join(' ')}
      style={{
        height,
        transform: `translateY(${start}px)`,
        gridTemplateColumns: template,
      }}
      onClick={(event) => {
        const isLink = event.target instanceof Element && event.target.closest('a') !== null
        if (row !== undefined && !isLink) onOpen(row.item)
      }}
    >
      {columns.map((column) => (
        <div key={column.id} role="gridcell" className={css['cell']} data-column={column.id}>
          {row === undefined ? <span className={css['bar']} /> : column.cell(row.item)}
        </div>
      ))}
    </div>
  )
})
