import { queryOptions, useQuery } from '@tanstack/react-query'
import { apiPath } from '../../../typescript/src/http/api-path.ts'
import { client } from '../session/connection.ts'

/** The cluster of a plane. */
interface PlaneCluster {
  readonly id: string
  readonly name: string
}

/** The cluster whose name or ID is a plane; null if the caller cannot read it. */
function planeClusterQuery(plane: string) {
  return queryOptions({
    queryKey: ['plane cluster', plane],
    enabled: plane !== ROOT,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<PlaneCluster | null> => {
      const text = plane.replaceAll("'", "''")
      const query = { search: `id='${text}' or name='${text}'`, pageSize: 1, fields: 'id,name' }
      const path = apiPath('clusters')
      const request = { method: 'GET', path, query, signal, retry: 'always' } as const
      const { body } = await client.request<{ readonly items: readonly PlaneCluster[] }>(request)
      return body.items[0] ?? null
    },
  })
}

const ROOT = 'root'

/** A plane in headings and links. */
export interface PlaneLabel {
  readonly title: string
  /** The name of the cluster, or `root`; the plane of the address while the name is loading. */
  readonly name: string
  /** The ID of the cluster; null for the root plane, and if the cluster is unknown. */
  readonly clusterId: string | null
  /** Whether the cluster is loading. */
  readonly isLoading: boolean
}

/** The name of a plane, also if the address has the ID of its cluster. */
export function usePlaneLabel(plane: string): PlaneLabel {
  const { data: cluster, isLoading } = useQuery(planeClusterQuery(plane))
  if (plane === ROOT) return { title: 'Root plane', name: ROOT, clusterId: null, isLoading: false }
  const name = cluster?.name ?? plane
  return { title: `Plane of ${name}`, name, clusterId: cluster?.id ?? null, isLoading }
}
