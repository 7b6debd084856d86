import { Badge } from '../design/badge.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import type { Tone } from '../design/tone.ts'
import css from './condition-list.module.css'
import type { KubeCondition } from './kube-object.ts'

interface ConditionListProps {
  readonly conditions: readonly KubeCondition[]
  /** Whether True is a problem, as it is for Degraded. */
  readonly toneOf?: (condition: KubeCondition) => Tone
  /** What a user can do about a reason. */
  readonly remedyOf?: (condition: KubeCondition) => string | undefined
}

/** The conditions of an object with their reasons, ages and remedies. */
export function ConditionList({ conditions, toneOf = usualTone, remedyOf }: ConditionListProps) {
  return (
    <ul className={css['list']}>
      {conditions.map((condition) => {
        const { type, status, reason = '', message = '', lastTransitionTime } = condition
        const remedy = remedyOf?.(condition)
        return (
          <li key={type} className={css['item']}>
            <div className={css['type']}>{type}</div>
            <div className={css['status']}>
              <Badge tone={toneOf(condition)}>{status}</Badge>
            </div>
            <div className={css['text']}>
              <span className={css['reason']}>{reason}</span>
              {message !== '' && <span>{message}</span>}
              {remedy !== undefined && <span className={css['remedy']}>{remedy}</span>}
            </div>
            <div className={css['age']}>
              {lastTransitionTime !== undefined && <TimeAgo time={lastTransitionTime} />}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function usualTone({ status }: KubeCondition): Tone {
  if (status === 'True') return 'good'
  return status === 'False' ? 'warn' : 'neutral'
}
