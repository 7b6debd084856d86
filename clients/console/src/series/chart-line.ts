import type { SeriesList } from '../../../typescript/src/generated/hyperfleet.ts'

/** A line of a chart. */
export interface ChartLine {
  readonly label: string
  /** One per step, null without a record. */
  readonly values: readonly (number | null)[]
}

export type Format = (value: number) => string

/** A chart and its text. */
export interface ChartContent {
  readonly title: string
  /** The ends of the steps, in seconds. */
  readonly times: readonly number[]
  readonly lines: readonly ChartLine[]
  readonly format: Format
}

/** The ends of the steps, in seconds since 1970. */
export function timesOf({ from, to, step_seconds: step }: SeriesList): readonly number[] {
  const start = Date.parse(from) / 1000
  const count = Math.round((Date.parse(to) / 1000 - start) / step)
  return Array.from({ length: count }, (_, index) => start + (index + 1) * step)
}

/** The last, highest and average recorded value of a line; null without one. */
export function figuresOf({ values }: ChartLine): {
  readonly last: number | null
  readonly highest: number | null
  readonly average: number | null
} {
  const recorded = values.filter((value) => value !== null)
  const last = recorded.at(-1)
  if (last === undefined) return { last: null, highest: null, average: null }
  const sum = recorded.reduce((total, value) => total + value, 0)
  const highest = recorded.reduce((most, value) => Math.max(most, value))
  return { last, highest, average: sum / recorded.length }
}

/** A number of resources. */
export const formatCount: Format = (value) => Math.round(value).toLocaleString('en')

/** A number per second: small ones keep digits. */
export const formatRate: Format = (value) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 1 ? 3 : value < 100 ? 1 : 0 })

/** A time in seconds. */
export const formatSeconds: Format = (value) => {
  if (value < 1) return `${Math.round(value * 1000)} ms`
  if (value < 120) return `${formatRate(value)} s`
  return value < 7200 ? `${formatRate(value / 60)} min` : `${formatRate(value / 3600)} h`
}

/** A time of the axis and the pointer, with the day if the chart shows several. */
export function formatTime(seconds: number, hasDays: boolean): string {
  const time = new Date(seconds * 1000)
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (!hasDays) return clock
  return `${time.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric' })} ${clock}`
}
