import { Link } from '@tanstack/react-router'
import type { KindDescription, KindOverview } from '../../../typescript/src/generated/hyperfleet.ts'
import { pluralLabel } from '../app/nav-items.ts'
import { Icon } from '../design/icon.tsx'
import css from './overview.module.css'
import { NOT_READY } from './use-not-ready.ts'

/** A kind and its counts. */
export interface CountedKind {
  readonly kind: KindDescription
  readonly counts: KindOverview
}

/** How many resources of a kind there are, and how many are not ready. */
export function KindTile({ kind, counts }: CountedKind) {
  const { plural } = kind
  const { total, ready, not_ready: notReady, deleting } = counts
  return (
    <section className={css['tile']} aria-label={pluralLabel(kind.kind, plural)}>
      <div className={css['tileHead']}>
        <Link to="/resources/$plural" params={{ plural }} className={css['tileLink'] ?? ''}>
          {pluralLabel(kind.kind, plural)}
        </Link>
      </div>
      <div className={css['figure']}>{count(total)}</div>
      <div className={css['split']} aria-hidden="true">
        <span className={css['ready']} style={{ flexGrow: ready }} />
        <span className={css['notReady']} style={{ flexGrow: notReady }} />
      </div>
      <div className={css['legend']}>
        {kind.has_statuses && (
          <Link
            to="/resources/$plural"
            params={{ plural }}
            search={{ q: NOT_READY }}
            className={`${css['legendItem']} ${notReady > 0 ? css['isBad'] : ''}`}
          >
            <Icon name={notReady > 0 ? 'alert' : 'check'} size={13} />
            {notReady > 0 ? `${count(notReady)} not ready` : 'all ready'}
          </Link>
        )}
        {deleting > 0 && (
          <Link
            to="/resources/$plural"
            params={{ plural }}
            search={{ q: 'deleted_time is not null' }}
            className={css['legendItem'] ?? ''}
          >
            <Icon name="trash" size={13} />
            {count(deleting)} deleting
          </Link>
        )}
      </div>
    </section>
  )
}

function count(value: number): string {
  return value.toLocaleString('en')
}
