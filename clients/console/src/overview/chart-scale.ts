/** The least round number at or above a value: the top of a chart's axis. */
export function niceMaximum(value: number): number {
  if (value <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 2.5, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10
  return step * power
}

interface ChartSize {
  readonly width: number
  readonly height: number
  /** The value at the top. */
  readonly maximum: number
}

/** The points of a line, from left to right over the whole width. */
export function chartPoints(
  values: readonly number[],
  { width, height, maximum }: ChartSize,
): readonly { readonly x: number; readonly y: number }[] {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  return values.map((value, index) => ({
    x: round(index * step),
    y: round(height - (Math.min(value, maximum) / maximum) * height),
  }))
}

/** The points as the path of an SVG. */
export function linePath(points: readonly { readonly x: number; readonly y: number }[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
