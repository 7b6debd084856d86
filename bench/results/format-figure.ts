import type { Spread } from '../measure/statistics.ts'

/** Formats a figure with about three significant digits. */
export function formatFigure(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return value.toFixed(0)
  return value.toFixed(size >= 10 ? 1 : 2)
}

/** `123 (120..130)`: the median and the range. A dash for null. */
export function formatSpread(spread: Spread | null): string {
  if (spread === null) return '-'
  const { median, min, max } = spread
  return `${formatFigure(median)} (${formatFigure(min)}..${formatFigure(max)})`
}
