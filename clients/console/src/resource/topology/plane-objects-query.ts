import { queryOptions } from '@tanstack/react-query'
import { isAllowed } from '../../access/access-rules.ts'
import { accessQuery } from '../../access/access-query.ts'
import { ApiError } from '../../../../typescript/src/errors/api-error.ts'
import { Forbidden } from '../../../../typescript/src/errors/status-errors.ts'
import { mapLimited } from '../../data/map-limited.ts'
import { queryClient } from '../../data/query-client.ts'
import { discoveryQuery } from '../../kube/discovery-query.ts'
import type { KubeObject } from '../../kube/kube-object.ts'
import { listPath } from '../../kube/object-path.ts'
import { type PlaneKind, resourceOf } from '../../kube/plane-kind.ts'
import { hasNextPage, readObjects } from '../../kube/read-objects.ts'
import { client } from '../../session/connection.ts'
import { type OwnedObject, ownerTree } from './owner-tree.ts'

/** The objects of each kind that are read, without their content. */
export const MAX_OF_KIND = 100
const MAX_REQUESTS = 6
const STALE_MS = 60_000
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

/**
 * The objects of a plane below their owners, without events, of the kinds that the caller may list in
 * all namespaces. It fails only if all kinds do.
 */
export function planeObjectsQuery(plane: string) {
  return queryOptions({
    queryKey: ['plane objects', plane],
    staleTime: STALE_MS,
    queryFn: async ({ signal }) => {
      const rules = await queryClient.ensureQueryData(accessQuery(plane, 'default'))
      const kinds = await queryClient.ensureQueryData(discoveryQuery(plane))
      const listed = kinds.filter(
        ({ group, plural }) =>
          plural !== 'events' &&
          (rules === null || isAllowed(rules, { verb: 'list', group, resource: plural })),
      )
      const lists = await mapLimited(listed, MAX_REQUESTS, (kind) => readKind(plane, kind, signal))
      const failed = lists.filter(({ error }) => error !== null)
      const [first] = failed
      if (first !== undefined && failed.length === lists.length) throw first.error
      return {
        roots: ownerTree(lists.flatMap(({ objects }) => objects)),
        cut: lists.filter(({ isCut }) => isCut).map(({ kind }) => resourceOf(kind)),
        failed: failed.map(({ kind }) => resourceOf(kind)),
      }
    },
  })
}

interface KindObjects {
  readonly kind: PlaneKind
  readonly objects: readonly OwnedObject[]
  /** Whether there are more. */
  readonly isCut: boolean
  readonly error: ApiError | null
}

/** An error of one kind, such as a failing conversion, does not hide the others. */
async function readKind(plane: string, kind: PlaneKind, signal: AbortSignal): Promise<KindObjects> {
  try {
    const body = await client.plane(plane).request({
      method: 'GET',
      path: listPath(kind),
      query: { limit: MAX_OF_KIND },
      headers: { Accept: METADATA },
      signal,
    })
    const objects = readObjects<KubeObject>(body).map((object): OwnedObject => ({ kind, object }))
    return { kind, objects, isCut: hasNextPage(body), error: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The caller may list the kind in some namespaces only.
    const isHidden = error instanceof Forbidden
    return { kind, objects: [], isCut: false, error: isHidden ? null : error }
  }
}
