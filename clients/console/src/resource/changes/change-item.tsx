import type { ResourceChange } from '../../../../typescript/src/index.ts'
import { Icon, type IconName } from '../../design/icon.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import type { ChangeText } from './change-text.ts'
import css from './changes.module.css'

const ICONS: Readonly<Record<ResourceChange['type'], IconName>> = {
  created: 'plus',
  updated: 'edit',
  deleted: 'trash',
  removed: 'trash',
  reported: 'refresh',
}

interface ChangeItemProps {
  readonly change: Pick<ResourceChange, 'type' | 'by' | 'time' | 'generation'>
  readonly text: ChangeText
}

/** One change: who, what and when, with the changed values. */
export function ChangeItem({ change, text: { action, details } }: ChangeItemProps) {
  return (
    <li className={css['change']}>
      <span className={css['icon']}>
        <Icon name={ICONS[change.type]} size={14} />
      </span>
      <div className={css['text']}>
        <p>
          <strong>{change.by === '' ? 'Someone' : change.by}</strong> {action}{' '}
          <span className={css['time']}>
            <TimeAgo time={change.time} suffix=" ago" />, generation {change.generation}
          </span>
        </p>
        {details.length > 0 && (
          <ul className={css['details']}>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
