import type { ReactNode } from 'react'
import { Button } from '../design/button.tsx'
import { Panel } from '../design/panel.tsx'
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
  /** The charts; null before the first record. */
  readonly children: ReactNode
}

/** Charts of the same range, and the choice of it. */
export function SeriesPanel({ title, range, onRange, children }: SeriesPanelProps) {
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
      {children === null ? (
        <p className={css['quiet']}>The charts begin a minute after the server has started.</p>
      ) : (
        <div className={css['charts']}>{children}</div>
      )}
    </Panel>
  )
}
