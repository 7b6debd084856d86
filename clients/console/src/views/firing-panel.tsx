import { Link } from '@tanstack/react-router'
import { Badge } from '../design/badge.tsx'
import { Panel } from '../design/panel.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import css from '../overview/overview.module.css'
import { useFiringAlerts } from './use-firing-alerts.ts'
import { firingSince } from './view.ts'

/** The alerts that fire. Without any, it is absent. */
export function FiringPanel() {
  const firing = useFiringAlerts()
  if (firing === undefined || firing.total === 0) return null
  return (
    <Panel title="Alerts that fire">
      <ul>
        {firing.items.map((view) => {
          const condition = view.status.conditions.find(({ type }) => type === 'Firing')
          const since = firingSince(view)
          return (
            <li key={view.id}>
              <Link to="/views/$name" params={{ name: view.name }} className={css['item'] ?? ''}>
                <span className={css['itemName']}>{view.name}</span>
                <Badge tone="bad">Firing</Badge>
                <span className={css['itemReason']}>{condition?.message}</span>
                <span className={css['itemTime']}>
                  {since !== null && <TimeAgo time={since} />}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
