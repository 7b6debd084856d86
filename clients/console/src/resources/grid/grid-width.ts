const GAP = 14
const PADDING = 20

interface SizedColumn {
  readonly id: string
  /** The width as a track of a CSS grid. */
  readonly width: string
}

/** The tracks of the columns: a chosen width, or that of the column. Names are shown as a whole. */
export function columnTracks(
  columns: readonly SizedColumn[],
  chosen: Readonly<Record<string, number>>,
  nameWidth: number,
): readonly string[] {
  return columns.map(({ id, width }) => {
    const pixels = chosen[id]
    if (pixels !== undefined) return `${pixels}px`
    return id === 'name' ? `minmax(${nameWidth}px, 1.6fr)` : width
  })
}

/** The least width of all columns in pixels. In narrower windows, the grid scrolls sideways. */
export function gridWidth(tracks: readonly string[]): number {
  const widths = tracks.map((track) => Number(/[\d.]+(?=px)/.exec(track)?.[0] ?? 0))
  const gaps = GAP * Math.max(0, tracks.length - 1) + 2 * PADDING
  return widths.reduce((sum, width) => sum + width, gaps)
}
