import { queryOptions } from '@tanstack/react-query'
import { apiPath } from '../../../../typescript/src/http/api-path.ts'
import { kindsQuery } from '../../data/kinds.ts'
import { queryClient } from '../../data/query-client.ts'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { childrenOf } from '../../resource/data/resource-query.ts'
import { client } from '../../session/connection.ts'
import { hasReferences } from '../schema/has-references.ts'
import { documentQuery } from '../schema/schema-query.ts'
import { deletionPlan } from './deletion-plan.ts'

/** The effects of deleting a resource. */
export function deletionQuery(plural: string, resource: KindResource) {
  const { id, kind } = resource
  return queryOptions({
    queryKey: ['deletion', plural, id],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const kinds = await queryClient.ensureQueryData(kindsQuery)
      return await deletionPlan({
        resource,
        dryRun: () => client.collection<KindResource>(plural).delete(id, { dryRun: true, signal }),
        children: () => childrenOf(id, signal),
        referrers: () => referrersOf(id, kinds, signal),
        reports: () => reportsOf(resource, signal),
        kind: kinds.find((one) => one.kind === kind),
      })
    },
  })
}

/** Only a resource that declares its adapters waits for others that have reported. */
async function reportsOf({ id, required_adapters: declared }: KindResource, signal: AbortSignal) {
  return declared === undefined ? [] : await client.statuses.list(id, { signal })
}

/** Servers whose kinds declare no references reject the parameter, so it is not sent to them. */
async function referrersOf(
  id: string,
  kinds: readonly { readonly kind: string }[],
  signal: AbortSignal,
): Promise<readonly KindResource[]> {
  const document = await queryClient.ensureQueryData(documentQuery)
  const names = kinds.map(({ kind }) => kind)
  if (!hasReferences(document, names)) return []
  const query = { ref_target_id: id, pageSize: 20 }
  const request = {
    method: 'GET',
    path: apiPath('resources'),
    query,
    signal,
    retry: 'always',
  } as const
  return (await client.request<{ items: readonly KindResource[] }>(request)).body.items
}
