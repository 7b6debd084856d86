import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '../design/button.tsx'
import { Panel } from '../design/panel.tsx'
import { RequestError } from '../design/states/request-error.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import type { ChartContent } from './chart-line.ts'
import { SeriesChart } from './series-chart.tsx'
import css from './series.module.css'
import type { Range } from './series-query.ts'

const RANGES: readonly (readonly [Range, string])[] = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
]

interface SeriesPanelProps {
  readonly title: string
  readonly range: Range
  readonly onRange: (range: Range) => void
  readonly query: Pick<UseQueryResult, 'error' | 'isPending'>
  /** Empty before the first record. */
  readonly charts: readonly ChartContent[]
}

/** Charts of the same range, and the choice of it. */
export function SeriesPanel({ title, range, onRange, ...content }: SeriesPanelProps) {
  return (
    <Panel
      title={title}
      actions={
        <div className={css['ranges']} role="group" aria-label={`Range of ${title.toLowerCase()}`}>
          {RANGES.map(([id, label]) => (
            <Button
              key={id}
              size="small"
              variant={range === id ? 'secondary' : 'ghost'}
              aria-pressed={range === id}
              onClick={() => onRange(id)}
            >
              {label}
            </Button>
          ))}
        </div>
      }
    >
      <Content {...content} />
    </Panel>
  )
}

function Content({ query, charts }: Pick<SeriesPanelProps, 'query' | 'charts'>) {
  const { error, isPending } = query
  if (charts.length > 0) {
    return (
      <div className={css['charts']}>
        {charts.map((chart) => (
          <SeriesChart key={chart.title} {...chart} />
        ))}
      </div>
    )
  }
  if (isPending) return <Skeleton lines={6} />
  if (error !== null) return <RequestError error={error} />
  return <p className={css['quiet']}>The charts begin a minute after the first resource exists.</p>
}
