import { useLocation, useRouterState } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useDensity } from '../../app/density.ts'
import { useNarrow } from '../../design/hooks/use-narrow.ts'
import type { ListedResource } from '../listed-resource.ts'
import type { RowList } from '../rows/row-list.ts'
import { GridHead, type GridSort } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import { columnTracks, gridWidth } from './grid-width.ts'
import type { ListColumn } from './list-columns.tsx'
import { keepPlace, listPlace } from './list-places.ts'
import { nameWidth } from './name-width.ts'
import { HEAD } from './next-position.ts'
import css from './resource-grid.module.css'
import type { ColumnWidths } from './use-column-widths.ts'
import { useGridKeys } from './use-grid-keys.ts'

const ROW_HEIGHTS = { comfortable: 36, compact: 27 } as const
const CARD_HEIGHT = 62
const OVERSCAN = 12

interface ResourceGridProps {
  readonly label: string
  readonly list: RowList<ListedResource>
  /** Differs for lists that are read from their start. */
  readonly content: string
  readonly columns: readonly ListColumn[]
  readonly widths: ColumnWidths
  readonly onResize: (column: string, width: number | null) => void
  readonly sort: GridSort
  readonly onOpen: (resource: ListedResource) => void
}

/** The rows of a list of any length. Only the visible ones are elements of the page. */
export function ResourceGrid(props: ResourceGridProps) {
  const { label, list, content, columns, widths, onResize, sort, onOpen } = props
  const { total } = useSyncExternalStore(list.subscribe, list.state)
  const id = useId()
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const [start] = useState(() => listPlace(entry))
  const scroller = useRef<HTMLDivElement>(null)
  const density = useDensity()
  const height = useNarrow() ? CARD_HEIGHT : ROW_HEIGHTS[density]
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    initialOffset: start.offset,
  })
  useEffect(() => rows.measure(), [rows, height])
  const visible = rows.getVirtualItems()
  const [first, last] = [visible.at(0)?.index ?? 0, visible.at(-1)?.index ?? 0]
  useEffect(() => list.show(first, last), [list, first, last])
  const { active, activeColumn, onKeyDown, restart } = useGridKeys({
    start: start.active,
    count: total,
    page: () => Math.floor((scroller.current?.clientHeight ?? height) / height) - 1,
    onMove: (position) => rows.scrollToIndex(position),
    onOpen: (position) => {
      const row = list.row(position)
      if (row !== undefined) onOpen(row.item)
    },
    columns,
    sort,
    onResize,
  })
  const offset = rows.scrollOffset ?? 0
  // The location changes before the list that it describes.
  const isSettled = useRouterState({
    select: ({ location, resolvedLocation }) =>
      location.state.__TSR_key === resolvedLocation?.state.__TSR_key,
  })
  const shown = useRef(content)
  useEffect(() => {
    // The element stays, so that a search or an order of the keyboard keeps the focus.
    if (shown.current !== content) {
      shown.current = content
      const place = listPlace(entry)
      rows.scrollToOffset(place.offset)
      restart(place.active)
    } else if (isSettled) keepPlace(entry, { offset, active: Math.max(0, active) })
  }, [content, entry, isSettled, offset, active, rows, restart])
  const tracks = columnTracks(columns, widths, useNameWidth(list, visible))
  const template = tracks.join(' ')
  const idOf = (column: ListColumn) => `${id}-column-${column.id}`
  const activeId = activeColumn === null ? `${id}-${active}` : idOf(activeColumn)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a grid is a widget
    <div
      ref={scroller}
      className={css['grid']}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-activedescendant={
        active === HEAD || list.row(active) !== undefined ? activeId : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={css['inner']} style={{ minWidth: gridWidth(tracks) }}>
        <GridHead {...{ columns, template, sort, idOf, onResize }} active={activeColumn} />
        <div role="rowgroup" className={css['body']} style={{ height: rows.getTotalSize() }}>
          {visible.map(({ index, start: top }) => {
            const row = list.row(index)
            return (
              <GridRow
                key={index}
                id={`${id}-${index}`}
                row={row}
                isFresh={row !== undefined && list.isFresh(row)}
                isActive={index === active}
                position={index}
                start={top}
                {...{ height, columns, template, onOpen }}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** The width of the names that the list has shown. It never shrinks, so that rows do not jump. */
function useNameWidth(
  list: RowList<ListedResource>,
  visible: readonly { readonly index: number }[],
): number {
  const [width, setWidth] = useState(0)
  const needed = nameWidth(visible.map(({ index }) => list.row(index)?.item.name ?? ''))
  if (needed > width) setWidth(needed)
  return Math.max(width, needed)
}
