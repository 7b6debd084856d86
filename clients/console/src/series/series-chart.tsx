import { lazy, Suspense, useState } from 'react'
import { pageCode } from '../app/page-load-error.ts'
import { useTheme } from '../design/hooks/use-theme.ts'
import { type ChartContent, type ChartLine, figuresOf, formatTime } from './chart-line.ts'
import css from './series.module.css'

const TimeChart = lazy(pageCode(() => import('./time-chart.tsx')))

const MARKS = 4
const DAY_SECONDS = 86_400

/** A chart and a table of its figures, which is its legend and its text for screen readers. */
export function SeriesChart({ title, times, lines, format }: ChartContent) {
  const [point, setPoint] = useState<number | null>(null)
  // A drawing reads its colours once.
  const theme = useTheme()
  const at = point === null ? undefined : times[point]
  const first = times[0]
  const last = times.at(-1)
  const hasDays = first !== undefined && last !== undefined && last - first >= DAY_SECONDS
  return (
    <figure className={css['figure']}>
      <figcaption className={css['caption']}>{title}</figcaption>
      <Suspense fallback={<div className={css['drawing']} />}>
        <TimeChart key={theme} {...{ title, times, lines, format }} onPoint={setPoint} />
      </Suspense>
      <table className={css['legend']} aria-label={`Figures: ${title}`}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">{at === undefined ? 'Last' : formatTime(at, hasDays)}</th>
            <th scope="col">Highest</th>
            <th scope="col">Average</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <FigureRow
              key={line.label}
              line={line}
              mark={index}
              point={at === undefined ? null : point}
              format={format}
            />
          ))}
        </tbody>
      </table>
    </figure>
  )
}

interface RowProps extends Pick<ChartContent, 'format'> {
  readonly line: ChartLine
  readonly mark: number
  /** The step at the pointer; null for the last one. */
  readonly point: number | null
}

function FigureRow({ line, mark, point, format }: RowProps) {
  const { last, highest, average } = figuresOf(line)
  const shown = (value: number | null) => (value === null ? '–' : format(value))
  return (
    <tr>
      <th scope="row" data-mark={mark % MARKS} data-dashed={mark >= MARKS}>
        {line.label}
      </th>
      <td>{shown(point === null ? last : (line.values[point] ?? null))}</td>
      <td>{shown(highest)}</td>
      <td>{shown(average)}</td>
    </tr>
  )
}
