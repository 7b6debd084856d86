import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/connection.ts'

/** The version of the server. */
interface ServerVersion {
  readonly gitVersion: string
  readonly goVersion: string
  readonly platform: string
}

/** The version that the root plane reports, as a Kubernetes API server does. */
export const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: ({ signal }) =>
    client.plane('root').request<ServerVersion>({ method: 'GET', path: '/version', signal }),
})
