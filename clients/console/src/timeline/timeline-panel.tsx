import { Link } from '@tanstack/react-router'
import { buttonClass } from '../design/button-class.ts'
import { Icon } from '../design/icon.tsx'
import { Panel } from '../design/panel.tsx'
import type { TimelineFilter } from './timeline-filter.ts'
import { TimelineList } from './timeline-list.tsx'
import type { TimelineSource } from './timeline-source.ts'

interface TimelinePanelProps {
  /** The filter of the timeline of the fleet that finds the same object. */
  readonly filter: TimelineFilter
  readonly sources: readonly TimelineSource[]
}

/** The timeline of one object, with a link to the timeline of the fleet. */
export function TimelinePanel({ filter, sources }: TimelinePanelProps) {
  return (
    <Panel
      title="Timeline"
      actions={
        <Link
          to="/timeline"
          search={filter}
          className={buttonClass({ variant: 'ghost', size: 'small' })}
        >
          <Icon name="filter" size={14} />
          Filter
        </Link>
      }
    >
      <TimelineList sources={sources} />
    </Panel>
  )
}
