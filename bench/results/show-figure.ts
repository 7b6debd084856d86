import type { Spread } from '../measure/statistics.ts'

/** A figure with as many digits as it deserves: three. */
export function showFigure(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return value.toFixed(0)
  return value.toFixed(size >= 10 ? 1 : 2)
}

/** `123 (120..130)`; a dash where there is nothing. */
export function showSpread(spread: Spread | null): string {
  if (spread === null) return '-'
  const { median, min, max } = spread
  return `${showFigure(median)} (${showFigure(min)}..${showFigure(max)})`
}
