import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/connection.ts'
import { DISCOVERY_TYPE, readDiscovery } from './read-discovery.ts'

/** The kinds that a plane serves, with its custom resources. */
export function discoveryQuery(plane: string) {
  return queryOptions({
    queryKey: ['plane-kinds', plane],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const headers = { Accept: DISCOVERY_TYPE }
      const read = (path: string) =>
        client.plane(plane).request({ method: 'GET', path, headers, signal })
      return readDiscovery(await Promise.all([read('/api'), read('/apis')]))
    },
  })
}
