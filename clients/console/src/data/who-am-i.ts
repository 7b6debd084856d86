import { queryOptions } from '@tanstack/react-query'
import { apiPath } from '../../../typescript/src/http/api-path.ts'
import { transport } from '../session/connection.ts'

/** The caller, as the server sees it. */
export interface Identity {
  readonly user: string
  readonly groups: readonly string[]
  readonly tenant: Readonly<Record<string, string>> | null
  readonly authentication: 'none' | 'token' | 'gateway'
  readonly expires_time: string | null
  readonly authorization: 'none' | 'rbac'
}

/** The caller of this tab. */
export const whoAmIQuery = queryOptions({
  queryKey: ['whoami'],
  staleTime: 300_000,
  queryFn: async ({ signal }) => {
    const request = { method: 'GET', path: apiPath('whoami'), signal, retry: 'always' } as const
    return (await transport.request<Identity>(request)).body
  },
})
