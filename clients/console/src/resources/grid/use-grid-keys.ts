import { type KeyboardEvent, useCallback, useState } from 'react'
import { type GridSort, sortBy } from './grid-head.tsx'
import type { ListColumn } from './list-columns.tsx'
import { HEAD, nextPosition } from './next-position.ts'

interface GridKeysOptions {
  /** The first active row. */
  readonly start: number
  readonly count: number
  /** The rows of a screen. */
  readonly page: () => number
  readonly onMove: (position: number) => void
  readonly onOpen: (position: number) => void
  readonly columns: readonly ListColumn[]
  readonly sort: GridSort
  readonly onResize: (column: string, width: number) => void
}

/** Pixels by which a key changes the width of a column. */
const STEP = 16

/**
 * The keys of a grid. Up and down move between rows, up from the first one to the columns. There,
 * left and right choose a column, Enter sorts by it, and Shift with left or right changes its width.
 */
export function useGridKeys(options: GridKeysOptions) {
  const { columns, sort, count } = options
  const [active, setActive] = useState(options.start)
  const [column, setColumn] = useState(0)
  const activeColumn =
    active === HEAD ? (columns[Math.min(column, columns.length - 1)] ?? null) : null
  const onColumnKey = (event: KeyboardEvent<HTMLElement>, chosen: ListColumn): boolean => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0
    if (event.key === 'Enter') sortBy(chosen, sort)
    else if (step !== 0 && event.shiftKey) {
      const cell = event.currentTarget.querySelectorAll('[role=columnheader]')[column]
      options.onResize(chosen.id, (cell?.clientWidth ?? 0) + step * STEP)
    } else if (step !== 0) setColumn(Math.max(0, Math.min(columns.length - 1, column + step)))
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return
    if (activeColumn !== null && onColumnKey(event, activeColumn)) {
      event.preventDefault()
      return
    }
    if (event.key === 'Enter') options.onOpen(active)
    const next = nextPosition(event.key, { position: active, count, page: options.page() })
    if (next === null) return
    event.preventDefault()
    setActive(next)
    if (next !== HEAD) options.onMove(next)
  }
  /** Moves to a row, unless a column is active. */
  const restart = useCallback(
    (row: number) => setActive((last) => (last === HEAD ? HEAD : row)),
    [],
  )
  return { active, activeColumn, onKeyDown, restart }
}
