import { useQuery } from '@tanstack/react-query'
import { HYPERFLEET, useIsAllowed } from '../access/use-access.ts'
import { firingQuery } from './views-query.ts'

/** The views whose alerts fire; undefined for callers that may not list views. */
export function useFiringAlerts() {
  const enabled = useIsAllowed({ verb: 'list', group: HYPERFLEET, resource: 'views' }) === true
  return useQuery({ ...firingQuery, enabled }).data
}
