import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useWidth } from '../design/hooks/use-width.ts'
import { type ChartContent, formatTime } from './chart-line.ts'
import css from './series.module.css'

interface TimeChartProps extends ChartContent {
  /** Receives the index of the step at the pointer; null without one. */
  readonly onPoint: (index: number | null) => void
}

const HEIGHT = 170
const DAY_SECONDS = 86_400
/** The colours of the legend, in the order of its marks. */
const COLOURS = ['--warn-mark', '--info-mark', '--good-mark', '--neutral-mark']
const DASH = [5, 4]

/** Lines over time with axes. A drag over the chart enlarges a part of it, a double click ends this. */
export default function TimeChart({ title, times, lines, format, onPoint }: TimeChartProps) {
  const { ref, width } = useWidth()
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = frame.current
    if (element === null || width === 0) return
    // Not the style of the element: V8 keeps the closures of one chart that has left the page, and the
    // element would keep the page.
    const style = getComputedStyle(document.body)
    const colour = (name: string) => style.getPropertyValue(name)
    const axis = {
      stroke: colour('--text-3'),
      font: `11px ${style.fontFamily}`,
      grid: { stroke: colour('--border'), width: 1 },
      ticks: { show: false },
    }
    const options: uPlot.Options = {
      width,
      height: HEIGHT,
      legend: { show: false },
      scales: { y: { range: (_, __, highest) => [0, Math.max(1e-3, (highest ?? 0) * 1.1)] } },
      axes: [
        {
          ...axis,
          size: 32,
          values: (...[, splits, , , increment]) =>
            splits.map((split) => formatTick(split, increment)),
        },
        { ...axis, size: 58, values: (_, splits) => splits.map(format) },
      ],
      series: [
        {},
        ...lines.map(({ label }, index) => ({
          label,
          stroke: colour(COLOURS[index % COLOURS.length] ?? ''),
          width: 1.75,
          points: { show: false },
          ...(index >= COLOURS.length && { dash: DASH }),
        })),
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
    }
    const chart = new uPlot(
      options,
      [[...times], ...lines.map(({ values }) => [...values])],
      element,
    )
    return () => chart.destroy()
  }, [width, times, lines, format, onPoint])
  return (
    <div ref={ref} className={css['drawing']}>
      <div ref={frame} role="img" aria-label={`Chart: ${title}`} />
    </div>
  )
}

function formatTick(seconds: number, increment: number): string {
  if (increment < DAY_SECONDS) return formatTime(seconds, false)
  return new Date(seconds * 1000).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric' })
}
