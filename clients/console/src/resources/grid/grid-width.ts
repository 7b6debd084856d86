const GAP = 14
const PADDING = 20

/** The least width of all columns in pixels. In narrower windows, the grid scrolls sideways. */
export function gridWidth(columns: readonly { readonly width: string }[]): number {
  const widths = columns.map(({ width }) => Number(/\d+(?=px)/.exec(width)?.[0] ?? 0))
  const gaps = GAP * Math.max(0, columns.length - 1) + 2 * PADDING
  return widths.reduce((sum, width) => sum + width, gaps)
}
