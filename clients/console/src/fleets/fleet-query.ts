import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/connection.ts'
import { FLEETS_PATH, type NamedFleet } from './fleet-objects.ts'
import { fleetState } from './fleet-state.ts'

const MOVING_MS = 1500
const RESTING_MS = 15_000

/**
 * The Fleet object. The stream of the page follows the members, so the object with its conditions
 * is read again after their changes, and regularly.
 */
export function fleetQuery(name: string) {
  return queryOptions<NamedFleet>({
    queryKey: ['fleet', name],
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false
      return fleetState(data).word === 'Ready' ? RESTING_MS : MOVING_MS
    },
    queryFn: ({ signal }) =>
      client.plane('root').request<NamedFleet>({
        method: 'GET',
        path: `${FLEETS_PATH}/${encodeURIComponent(name)}`,
        signal,
      }),
  })
}
