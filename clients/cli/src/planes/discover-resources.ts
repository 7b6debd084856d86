import type { Session } from '../session/session.ts'
import type { PlaneTarget } from '../targets/kind-target.ts'
import { planePath } from './plane-path.ts'

/** A resource of a plane with the words that name it. */
export interface DiscoveredResource extends PlaneTarget {
  readonly shortNames: readonly string[]
  readonly verbs: readonly string[]
}

interface GroupList {
  readonly items: readonly {
    readonly metadata?: { readonly name?: string | undefined } | undefined
    readonly versions: readonly {
      readonly version: string
      readonly resources?: readonly WireResource[] | undefined
    }[]
  }[]
}

interface WireResource {
  readonly resource: string
  readonly responseKind: { readonly kind: string }
  readonly scope: string
  readonly singularResource: string
  readonly shortNames?: readonly string[] | undefined
  readonly verbs: readonly string[]
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** The resources of a plane: for each, its preferred version, the core group first. */
export async function discoverResources(
  { client, signal }: Pick<Session, 'client' | 'signal'>,
  cluster: string,
): Promise<readonly DiscoveredResource[]> {
  const lists = await Promise.all(
    ['/api', '/apis'].map(async (path) => {
      const { body } = await client.request<GroupList>({
        method: 'GET',
        path: planePath(cluster, path),
        headers: { Accept: AGGREGATED },
        retry: 'always',
        signal,
      })
      return body.items
    }),
  )
  const found = new Map<string, DiscoveredResource>()
  for (const { metadata, versions } of lists.flat()) {
    const group = metadata?.name ?? ''
    for (const { version, resources = [] } of versions) {
      for (const wire of resources) {
        const key = `${wire.resource}.${group}`
        if (!found.has(key)) found.set(key, discovered(wire, { group, version, cluster }))
      }
    }
  }
  return [...found.values()]
}

function discovered(
  { resource, responseKind, scope, singularResource, shortNames = [], verbs }: WireResource,
  place: Pick<PlaneTarget, 'group' | 'version' | 'cluster'>,
): DiscoveredResource {
  return {
    api: 'plane',
    ...place,
    kind: responseKind.kind,
    plural: resource,
    singular: singularResource === '' ? responseKind.kind.toLowerCase() : singularResource,
    namespaced: scope === 'Namespaced',
    shortNames,
    verbs,
  }
}
