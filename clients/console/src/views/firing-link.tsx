import { Link } from '@tanstack/react-router'
import { Badge } from '../design/badge.tsx'
import { FIRING_SEARCH } from './view.ts'
import { useFiringAlerts } from './use-firing-alerts.ts'

/** The number of alerts that fire, in the header of every page. Screen readers announce changes. */
export function FiringLink() {
  const { total = 0 } = useFiringAlerts() ?? {}
  return (
    <div role="status">
      {total > 0 && (
        <Link to="/resources/$plural" params={{ plural: 'views' }} search={{ q: FIRING_SEARCH }}>
          <Badge tone="bad">
            {total === 1 ? '1 alert fires' : `${total.toLocaleString('en')} alerts fire`}
          </Badge>
        </Link>
      )}
    </div>
  )
}
