import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiPath } from '../../../typescript/src/http/api-path.ts'
import { transport } from '../session/connection.ts'
import { nameContains } from './name-contains.ts'

/** The fields of a cluster that a search shows. */
export interface FoundCluster {
  readonly id: string
  readonly name: string
  readonly created_time: string
}

interface FoundClusters {
  readonly items: readonly FoundCluster[]
  readonly total: number
}

const LIMIT = 50

/** The first clusters whose name contains a text, in the order of their names. */
export function clustersByNameQuery(name: string, limit = LIMIT) {
  return queryOptions({
    queryKey: ['clusters-by-name', name, limit],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const search = name === '' ? undefined : nameContains(name)
      const query = { search, pageSize: limit, orderBy: 'name asc', fields: 'id,name,created_time' }
      const path = apiPath('clusters')
      const request = { method: 'GET', path, query, signal, retry: 'always' } as const
      return (await transport.request<FoundClusters>(request)).body
    },
  })
}
