import type { PointerEvent } from 'react'
import css from './resource-grid.module.css'

interface ColumnHandleProps {
  /** Receives the width in pixels; null for the width that the page chooses. */
  readonly onResize: (width: number | null) => void
}

/** The edge of a column. It is dragged; a double click restores the width. */
export function ColumnHandle({ onResize }: ColumnHandleProps) {
  const start = (event: PointerEvent<HTMLSpanElement>) => {
    const handle = event.currentTarget
    const cell = handle.parentElement
    if (cell === null) return
    event.preventDefault()
    handle.setPointerCapture(event.pointerId)
    const base = cell.getBoundingClientRect().width - event.clientX
    const move = ({ clientX }: globalThis.PointerEvent) => onResize(base + clientX)
    handle.addEventListener('pointermove', move)
    const stop = () => handle.removeEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', stop, { once: true })
  }
  return (
    <span
      className={css['handle']}
      aria-hidden="true"
      onPointerDown={start}
      onDoubleClick={() => onResize(null)}
    />
  )
}
