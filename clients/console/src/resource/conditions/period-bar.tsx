import type { ConditionHistory, ConditionPeriod } from './condition-history.ts'
import { AWAITING_ADAPTERS } from '../../resources/resource-state.ts'
import { timeLabel } from './time-label.ts'
import { placeIn, type TimeWindow } from './time-window.ts'
import css from './conditions.module.css'

interface PeriodBarProps {
  readonly history: ConditionHistory
  readonly window: TimeWindow
}

/** The periods of one condition on a bar from the start of the window to now. */
export function PeriodBar({ history, window }: PeriodBarProps) {
  const { periods } = history
  return (
    <div className={css['bar']} role="img" aria-label={describe(history, window)}>
      {periods.map((period) => {
        const start = placeIn(window, period.from)
        const end = placeIn(window, period.to ?? window.to)
        return (
          <span
            key={`${period.from} ${period.status}`}
            className={`${css['period']} ${css[lookOf(period)]}`}
            style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
            title={textOf(period, window)}
          />
        )
      })}
    </div>
  )
}

function lookOf({ status, reason }: ConditionPeriod): string {
  if (status === null) return 'absent'
  if (status === 'True') return 'true'
  return reason === AWAITING_ADAPTERS ? 'waiting' : 'false'
}

function textOf({ status, reason, from, to }: ConditionPeriod, window: TimeWindow): string {
  const start = from === null ? '' : ` from ${timeLabel(from, window.to)}`
  const end = to === null ? ' until now' : ` until ${timeLabel(to, window.to)}`
  return `${status ?? 'absent'}${reason === '' ? '' : ` (${reason})`}${start}${end}`
}

function describe({ type, periods }: ConditionHistory, window: TimeWindow): string {
  return `${type}: ${periods.map((period) => textOf(period, window)).join('; ')}`
}
