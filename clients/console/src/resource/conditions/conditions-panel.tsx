import { useMemo } from 'react'
import type { ResourceChange, ResourceCondition } from '../../../../typescript/src/index.ts'
import { Icon } from '../../design/icon.tsx'
import { Panel } from '../../design/panel.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import { useNow } from '../../design/hooks/use-now.ts'
import { AWAITING_ADAPTERS } from '../../resources/resource-state.ts'
import type { KindResource } from '../data/kind-resource.ts'
import { type ConditionHistory, conditionHistories } from './condition-history.ts'
import { PeriodBar } from './period-bar.tsx'
import { timeLabel } from './time-label.ts'
import { timeWindow } from './time-window.ts'
import css from './conditions.module.css'

interface ConditionsPanelProps {
  readonly resource: KindResource
  readonly changes: readonly ResourceChange[]
}

/** The conditions of a resource over time, each with its current state in words. */
export function ConditionsPanel({ resource, changes }: ConditionsPanelProps) {
  const now = useNow()
  const { conditions } = resource.status
  const histories = useMemo(() => conditionHistories(conditions, changes), [conditions, changes])
  const window = timeWindow(histories, Date.parse(resource.created_time), now)
  return (
    <Panel
      title="Conditions"
      note={conditions.length > 0 ? `since ${timeLabel(window.from, now)}` : undefined}
    >
      {conditions.length === 0 ? (
        <p className={css['empty']}>Adapters have not set conditions on this resource.</p>
      ) : (
        <ul className={css['rows']}>
          {conditions.map((condition, index) => (
            <li key={condition.type} className={css['row']}>
              <span className={css[lookOf(condition).look]}>
                <Icon name={lookOf(condition).icon} size={14} />
                <strong>{condition.type}</strong> {condition.status}
              </span>
              <PeriodBar history={histories[index] ?? NO_HISTORY} window={window} />
              <span className={css['since']}>
                for <TimeAgo time={condition.last_transition_time} />
                {condition.observed_generation > 0 &&
                  `, generation ${condition.observed_generation}`}
              </span>
              {condition.status === 'False' && (
                <p className={css['message']}>{condition.message ?? condition.reason}</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function lookOf({ status, reason }: ResourceCondition) {
  if (status === 'True') return { look: 'isTrue', icon: 'check' } as const
  return reason === AWAITING_ADAPTERS
    ? ({ look: 'isWaiting', icon: 'clock' } as const)
    : ({ look: 'isFalse', icon: 'alert' } as const)
}

const NO_HISTORY: ConditionHistory = { type: '', periods: [] }
