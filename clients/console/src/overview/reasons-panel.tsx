import { Link } from '@tanstack/react-router'
import { pluralLabel } from '../app/nav-items.ts'
import { Panel } from '../design/panel.tsx'
import type { CountedKind } from './kind-tile.tsx'
import { notReadyReasons } from './not-ready-reasons.ts'
import css from './overview.module.css'

/** Why resources are not ready: the adapters that they wait for, with links to the resources. */
export function ReasonsPanel({ counted }: { readonly counted: readonly CountedKind[] }) {
  const groups = counted
    .map(({ kind, counts }) => ({ kind, reasons: notReadyReasons(counts), all: counts.not_ready }))
    .filter(({ reasons }) => reasons.length > 0)
  return (
    <Panel title="Why they are not ready">
      {groups.length === 0 && <p className={css['quiet']}>Every resource is ready.</p>}
      {groups.map(({ kind, reasons, all }) => (
        <div key={kind.kind} className={css['group']}>
          <h3 className={css['groupName']}>{pluralLabel(kind.kind, kind.plural)}</h3>
          <ul>
            {reasons.map(({ adapter, count, search }) => (
              <li key={adapter}>
                <Link
                  to="/resources/$plural"
                  params={{ plural: kind.plural }}
                  search={{ q: search }}
                  className={css['reason'] ?? ''}
                >
                  <span>
                    waits for <b>{adapter}</b>
                  </span>
                  <span className={css['amount']}>{count.toLocaleString('en')}</span>
                  <span className={css['track']} aria-hidden="true">
                    <span
                      style={{ width: `${Math.min(100, (count / Math.max(1, all)) * 100)}%` }}
                    />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Panel>
  )
}
