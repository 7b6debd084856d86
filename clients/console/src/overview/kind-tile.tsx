import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pluralLabel } from '../app/nav-items.ts'
import { Icon } from '../design/icon.tsx'
import {
  decidingAdapters,
  failingSearch,
  NOT_READY,
  waitingSearch,
} from './breakdown/state-search.ts'
import { useBreakdown } from './breakdown/use-breakdown.ts'
import type { CountedKind } from './counted-kind.ts'
import css from './overview.module.css'

/** How many resources of a kind there are, and how many fail or wait. */
export function KindTile({ kind, counts }: CountedKind) {
  const { plural } = kind
  const { total, ready, not_ready: notReady, deleting } = counts
  const { data } = useBreakdown({ kind, counts })
  const failing = notReady === 0 ? 0 : Math.min(notReady, data?.failing ?? 0)
  const adapters = decidingAdapters(kind.required_adapters, data?.items)
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
        <span className={css['waiting']} style={{ flexGrow: notReady - failing }} />
        <span className={css['failing']} style={{ flexGrow: failing }} />
      </div>
      <div className={css['legend']}>
        {kind.has_statuses && notReady === 0 && (
          <span className={css['isGood']}>
            <Icon name="check" size={13} />
            all ready
          </span>
        )}
        {failing > 0 && (
          <StateLink plural={plural} search={failingSearch(adapters)} look="isBad">
            <Icon name="alert" size={13} />
            {count(failing)} failing
          </StateLink>
        )}
        {notReady > failing && (
          <StateLink
            plural={plural}
            search={data === undefined ? NOT_READY : waitingSearch(adapters)}
            look="isLate"
          >
            <Icon name="clock" size={13} />
            {count(notReady - failing)} {data === undefined ? 'not ready' : 'waiting'}
          </StateLink>
        )}
        {deleting > 0 && (
          <StateLink plural={plural} search="deleted_time is not null" look="isLeaving">
            <Icon name="trash" size={13} />
            {count(deleting)} deleting
          </StateLink>
        )}
      </div>
    </section>
  )
}

interface StateLinkProps {
  readonly plural: string
  readonly search: string
  readonly look: 'isBad' | 'isLate' | 'isLeaving'
  readonly children: ReactNode
}

function StateLink({ plural, search, look, children }: StateLinkProps) {
  return (
    <Link
      to="/resources/$plural"
      params={{ plural }}
      search={{ q: search }}
      className={`${css['legendItem']} ${css[look]}`}
    >
      {children}
    </Link>
  )
}

function count(value: number): string {
  return value.toLocaleString('en')
}
