import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useNarrow } from '../../design/hooks/use-narrow.ts'
import type { ListedResource } from '../listed-resource.ts'
import type { RowList } from '../rows/row-list.ts'
import { GridHead, type GridSort } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import { gridWidth } from './grid-width.ts'
import type { ListColumn } from './list-columns.tsx'
import { nextPosition } from './next-position.ts'
import css from './resource-grid.module.css'

const ROW_HEIGHT = 36
const CARD_HEIGHT = 62
const OVERSCAN = 12

interface ResourceGridProps {
  readonly label: string
  readonly list: RowList<ListedResource>
  readonly columns: readonly ListColumn[]
  readonly sort: GridSort
  readonly onOpen: (resource: ListedResource) => void
}

/** The rows of a list of any length. Only the visible ones are elements of the page. */
export function ResourceGrid({ label, list, columns, sort, onOpen }: ResourceGridProps) {
  const { total } = useSyncExternalStore(list.subscribe, list.state)
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const height = useNarrow() ? CARD_HEIGHT : ROW_HEIGHT
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
  })
  useEffect(() => rows.measure(), [rows, height])
  const visible = rows.getVirtualItems()
  const [first, last] = [visible.at(0)?.index ?? 0, visible.at(-1)?.index ?? 0]
  useEffect(() => list.show(first, last), [list, first, last])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return
    const row = list.row(active)
    if (event.key === 'Enter' && row !== undefined) onOpen(row.item)
    const page = Math.floor((scroller.current?.clientHeight ?? height) / height) - 1
    const next = nextPosition(event.key, { position: active, count: total, page })
    if (next === null) return
    event.preventDefault()
    setActive(next)
    rows.scrollToIndex(next)
  }
  const template = columns.map(({ width }) => width).join(' ')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a grid is a widget
    <div
      ref={scroller}
      className={css['grid']}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-activedescendant={list.row(active) === undefined ? undefined : `${id}-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={css['inner']} style={{ minWidth: gridWidth(columns) }}>
        <GridHead columns={columns} template={template} sort={sort} />
        <div role="rowgroup" className={css['body']} style={{ height: rows.getTotalSize() }}>
          {visible.map(({ index, start }) => {
            const row = list.row(index)
            return (
              <GridRow
                key={index}
                id={`${id}-${index}`}
                row={row}
                isFresh={row !== undefined && list.isFresh(row)}
                isActive={index === active}
                position={index}
                start={start}
                height={height}
                columns={columns}
                template={template}
                onOpen={onOpen}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
