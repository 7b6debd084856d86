import type { GridLayout } from './grid-layout.ts'
import type { MemberState } from './member-state.ts'

/** The colours of the states, as CSS. */
export type GridColors = Readonly<Record<MemberState | 'mark', string>>

interface GridLook extends Pick<GridLayout, 'columns' | 'pitch' | 'gap'> {
  readonly colors: GridColors
}

const MIN_MARK = 10

/** Draws a square for each member. Marks repeat the state for readers who do not see its colour. */
export function drawMembers(
  canvas: CanvasRenderingContext2D,
  states: readonly MemberState[],
  { columns, pitch, gap, colors }: GridLook,
): void {
  const side = pitch - gap
  states.forEach((state, index) => {
    const x = (index % columns) * pitch
    const y = Math.floor(index / columns) * pitch
    canvas.fillStyle = colors[state]
    canvas.beginPath()
    canvas.roundRect(x, y, side, side, side > MIN_MARK ? 3 : 1)
    canvas.fill()
    if (state !== 'available') drawMark(canvas, state, { x, y, side, color: colors.mark })
  })
}

interface MarkPlace {
  readonly x: number
  readonly y: number
  readonly side: number
  readonly color: string
}

/** A cross for failed, a dot for pending, a ring for claimed. */
function drawMark(
  canvas: CanvasRenderingContext2D,
  state: Exclude<MemberState, 'available'>,
  { x, y, side, color }: MarkPlace,
): void {
  const [left, top, size] = [x + side * 0.3, y + side * 0.3, side * 0.4]
  const center = [x + side / 2, y + side / 2] as const
  canvas.strokeStyle = color
  canvas.fillStyle = color
  canvas.lineWidth = Math.max(1, side / 12)
  canvas.beginPath()
  if (state === 'failed') {
    canvas.moveTo(left, top)
    canvas.lineTo(left + size, top + size)
    canvas.moveTo(left + size, top)
    canvas.lineTo(left, top + size)
    canvas.stroke()
    return
  }
  canvas.arc(...center, state === 'pending' ? side / 8 : side / 4, 0, 2 * Math.PI)
  if (state === 'pending') canvas.fill()
  else canvas.stroke()
}
