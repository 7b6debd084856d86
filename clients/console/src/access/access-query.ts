import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../data/query-client.ts'
import { whoAmIQuery } from '../data/who-am-i.ts'
import { client, session } from '../session/connection.ts'
import type { AccessRule } from './access-rules.ts'

interface RulesReview {
  readonly status: { readonly resourceRules?: readonly AccessRule[]; readonly incomplete?: boolean }
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
const ACCESS = 'access'

/**
 * The rules of the caller in a plane, asked once per session; null if all is allowed, or if the
 * server does not list all rules. Then nothing is disabled, and the server decides.
 */
export function accessQuery(plane: string, namespace: string) {
  return queryOptions({
    queryKey: [ACCESS, plane, namespace],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<readonly AccessRule[] | null> => {
      const { authorization } = await queryClient.ensureQueryData(whoAmIQuery)
      if (authorization === 'none') return null
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace },
      }
      const request = { method: 'POST', path: REVIEWS, body, signal, retry: 'always' } as const
      const { status } = await client.plane(plane).request<RulesReview>(request)
      return status.incomplete === true ? null : (status.resourceRules ?? [])
    },
  })
}

/** Another token may have other rights. */
session.subscribe(() => {
  if (session.needsToken) return
  void queryClient.resetQueries({ queryKey: whoAmIQuery.queryKey })
  void queryClient.resetQueries({ queryKey: [ACCESS] })
})
