/** The places of equal squares in rows. */
export interface GridLayout {
  readonly count: number
  readonly columns: number
  readonly rows: number
  /** The side of a square with the gap after it, in CSS pixels. */
  readonly pitch: number
  readonly gap: number
}

const MAX_PITCH = 28
const MIN_PITCH = 8
/** Larger grids become denser rather than taller, as far as the squares stay visible. */
const PREFERRED_HEIGHT = 420

/** Chooses the largest squares with which the grid fits its width and the preferred height. */
export function layoutGrid(count: number, width: number): GridLayout {
  for (let pitch = MAX_PITCH; ; pitch -= 1) {
    const columns = Math.max(1, Math.floor(width / pitch))
    const rows = Math.ceil(count / columns)
    if (rows * pitch <= PREFERRED_HEIGHT || pitch <= MIN_PITCH) {
      return { count, columns, rows, pitch, gap: pitch < 12 ? 1 : 3 }
    }
  }
}

/** The index of the square at a point; null between and after the squares. */
export function indexAt(
  { count, columns, pitch }: GridLayout,
  x: number,
  y: number,
): number | null {
  const column = Math.floor(x / pitch)
  if (x < 0 || y < 0 || column >= columns) return null
  const index = Math.floor(y / pitch) * columns + column
  return index < count ? index : null
}

/** The index after a key; null if the key does not move. */
export function indexAfterKey(
  { count, columns }: GridLayout,
  index: number,
  key: string,
): number | null {
  const last = count - 1
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, index - 1)
    case 'ArrowRight':
      return Math.min(last, index + 1)
    case 'ArrowUp':
      return index >= columns ? index - columns : index
    case 'ArrowDown':
      return index + columns <= last ? index + columns : index
    case 'PageUp':
      return Math.max(0, index - 10 * columns)
    case 'PageDown':
      return Math.min(last, index + 10 * columns)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
