import { queryOptions } from '@tanstack/react-query'
import { isAllowed } from '../../access/access-rules.ts'
import { accessQuery } from '../../access/access-query.ts'
import { Forbidden } from '../../../../typescript/src/errors/status-errors.ts'
import { queryClient } from '../../data/query-client.ts'
import { discoveryQuery } from '../../kube/discovery-query.ts'
import type { KubeObject } from '../../kube/kube-object.ts'
import { listPath } from '../../kube/object-path.ts'
import type { PlaneKind } from '../../kube/plane-kind.ts'
import { hasNextPage, readObjects } from '../../kube/read-objects.ts'
import { client } from '../../session/connection.ts'
import { type OwnedObject, ownerTree } from './owner-tree.ts'

/** The objects of each kind that are read, without their content. */
export const MAX_OF_KIND = 100
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

/** The objects of a plane below their owners, of the kinds that the caller may list, without events. */
export function planeObjectsQuery(plane: string) {
  return queryOptions({
    queryKey: ['plane objects', plane],
    queryFn: async ({ signal }) => {
      const rules = await queryClient.ensureQueryData(accessQuery(plane, 'default'))
      const kinds = await queryClient.ensureQueryData(discoveryQuery(plane))
      const listed = kinds.filter(
        ({ group, plural }) =>
          plural !== 'events' &&
          (rules === null || isAllowed(rules, { verb: 'list', group, resource: plural })),
      )
      const lists = await Promise.all(listed.map((kind) => readKind(plane, kind, signal)))
      return {
        roots: ownerTree(lists.flatMap(({ objects }) => objects)),
        cut: lists.filter(({ isCut }) => isCut).map(({ kind }) => kind.plural),
      }
    },
  })
}

async function readKind(plane: string, kind: PlaneKind, signal: AbortSignal) {
  const body = await client
    .plane(plane)
    .request({
      method: 'GET',
      path: listPath(kind),
      query: { limit: MAX_OF_KIND },
      headers: { Accept: METADATA },
      signal,
    })
    .catch((error: unknown) => {
      // The caller may list the kind in some namespaces only.
      if (error instanceof Forbidden) return null
      throw error
    })
  const objects = readObjects<KubeObject>(body).map((object): OwnedObject => ({ kind, object }))
  return { kind, objects, isCut: hasNextPage(body) }
}
