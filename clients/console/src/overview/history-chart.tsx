import { type PointerEvent, useState } from 'react'
import { chartPoints, linePath, niceMaximum } from './chart-scale.ts'
import css from './history-chart.module.css'
import { useWidth } from './use-width.ts'

/** A line of the chart. */
export interface ChartSeries {
  readonly label: string
  readonly values: readonly number[]
}

interface HistoryChartProps {
  readonly series: readonly ChartSeries[]
  /** The time of each value. */
  readonly times: readonly string[]
}

const HEIGHT = 150
const LEFT = 44
const BOTTOM = 20
const TOP = 8
const PADDING = 14

/** Lines over time, with the values at the pointer. */
export function HistoryChart({ series, times }: HistoryChartProps) {
  const { ref, width } = useWidth()
  const [at, setAt] = useState<number | null>(null)
  const inner = Math.max(0, width - LEFT - PADDING)
  const maximum = niceMaximum(Math.max(0, ...series.flatMap(({ values }) => values)))
  const size = { width: inner, height: HEIGHT, maximum }
  const index = Math.min(at ?? times.length - 1, times.length - 1)
  const x = times.length > 1 ? (index / (times.length - 1)) * inner : 0
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT
    const nearest = Math.round((offset / Math.max(1, inner)) * (times.length - 1))
    setAt(Math.max(0, Math.min(times.length - 1, nearest)))
  }
  return (
    <div className={css['chart']} ref={ref}>
      <div className={css['legend']}>
        <span className={css['time']}>{at === null ? 'now' : clock(times[index])}</span>
        {series.map(({ label, values }, number) => (
          <span key={label} className={css['key']} data-series={number % 4}>
            {label} <b>{(values[index] ?? 0).toLocaleString('en')}</b>
          </span>
        ))}
      </div>
      <svg
        width={Math.max(0, width - PADDING)}
        height={HEIGHT + TOP + BOTTOM}
        role="img"
        aria-label={summary(series)}
        onPointerMove={move}
        onPointerLeave={() => setAt(null)}
      >
        <g transform={`translate(${LEFT} ${TOP})`}>
          {[0, 0.5, 1].map((part) => (
            <g key={part} transform={`translate(0 ${HEIGHT - part * HEIGHT})`}>
              <line x2={inner} className={css['grid']} />
              <text x={-8} dy="0.32em" className={css['tick']} textAnchor="end">
                {(maximum * part).toLocaleString('en')}
              </text>
            </g>
          ))}
          {series.map(({ label, values }, number) => {
            const line = linePath(chartPoints(values, size))
            return (
              <g key={label} data-series={number % 4} className={css['series']}>
                <path d={`${line}L${inner} ${HEIGHT}L0 ${HEIGHT}Z`} className={css['area']} />
                <path d={line} className={css['line']} />
              </g>
            )
          })}
          {at !== null && <line x1={x} x2={x} y2={HEIGHT} className={css['cursor']} />}
          <text y={HEIGHT + 16} className={css['tick']}>
            {clock(times[0])}
          </text>
          <text x={inner} y={HEIGHT + 16} className={css['tick']} textAnchor="end">
            now
          </text>
        </g>
      </svg>
    </div>
  )
}

function clock(time: string | undefined): string {
  if (time === undefined) return ''
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

function summary(series: readonly ChartSeries[]): string {
  const parts = series.map(({ label, values }) => {
    const highest = Math.max(0, ...values)
    return `${label}: now ${values.at(-1) ?? 0}, at most ${highest}`
  })
  return `Not ready in the last hour. ${parts.join('. ')}.`
}
