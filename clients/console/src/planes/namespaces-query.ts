import { queryOptions } from '@tanstack/react-query'
import { readObjects } from '../kube/read-objects.ts'
import { client } from '../session/connection.ts'

const MAX_NAMESPACES = 500

/** The names of the namespaces of a plane, for filters. */
export function namespacesQuery(plane: string) {
  return queryOptions({
    queryKey: ['namespaces', plane],
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_NAMESPACES }
      const request = { method: 'GET', path: '/api/v1/namespaces', query, signal } as const
      const body = await client.plane(plane).request(request)
      return readObjects(body).map(({ metadata }) => metadata.name)
    },
  })
}
