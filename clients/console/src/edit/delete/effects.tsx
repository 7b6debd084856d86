import { Icon } from '../../design/icon.tsx'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import css from '../edit.module.css'
import type { DeletionPlan } from './deletion-plan.ts'

interface EffectsProps {
  readonly plan: DeletionPlan
  readonly isForced: boolean
}

/** What a deletion affects: children, referring resources and adapters. */
export function Effects({ plan, isForced }: EffectsProps) {
  const { refusal, children, childCount, referrers, adapters } = plan
  return (
    <div className={css['effects']}>
      {refusal !== null && !isForced && (
        <div className={`${css['notice']} ${css['warn']}`} role="alert">
          <Icon name="alert" />
          <div>
            <strong>The server refuses this deletion</strong>
            <p>{refusal}</p>
          </div>
        </div>
      )}
      {childCount > 0 && (
        <Group
          title={`${childCount} dependent ${childCount === 1 ? 'resource' : 'resources'} below it`}
          resources={children}
          total={childCount}
        />
      )}
      {referrers.length > 0 && (
        <Group title="Resources that refer to it" resources={referrers} total={referrers.length} />
      )}
      {childCount === 0 && referrers.length === 0 && <p>No other resource depends on it.</p>}
      {!isForced && (
        <p className={css['hint']}>
          {adapters.length === 0
            ? 'It requires no adapters, so it disappears immediately.'
            : `It waits for the clean-up of ${adapters.join(', ')}.`}
        </p>
      )}
    </div>
  )
}

interface GroupProps {
  readonly title: string
  readonly resources: readonly KindResource[]
  readonly total: number
}

const MAX_SHOWN = 10

function Group({ title, resources, total }: GroupProps) {
  const shown = resources.slice(0, MAX_SHOWN)
  return (
    <div>
      <strong>{title}</strong>
      <ul className={css['names']}>
        {shown.map(({ id, kind, name }) => (
          <li key={id}>
            {kind} <strong>{name}</strong>
          </li>
        ))}
        {total > shown.length && <li>and {total - shown.length} more</li>}
      </ul>
    </div>
  )
}
