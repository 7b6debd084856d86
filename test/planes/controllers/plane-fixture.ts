import { expect } from 'vitest'
import type { ApiObject, OwnerReference } from '../../../src/planes/model/api-object.ts'
import type { DeleteOptions } from '../../../src/planes/model/object-operations.ts'
import { isObjectNotFound } from '../../../src/planes/controllers/client/api-failures.ts'
import type { FleetClient } from '../../../src/planes/controllers/client/fleet-client.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import type { TestServer } from '../../support/test-server.ts'

export const MAPS = { group: '', version: 'v1', plural: 'configmaps' }
export const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces' }

/** Properties of a new config map. */
export interface MapOptions {
  readonly namespace?: string
  readonly owners?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
}

/** A new plane with short calls for tests of controllers. */
export interface PlaneFixture {
  readonly fleet: FleetClient
  readonly client: PlaneClient
  createMap(name: string, options?: MapOptions): Promise<ApiObject>
  createNamespace(name: string): Promise<ApiObject>
  readMap(name: string, namespace?: string): Promise<ApiObject | null>
  deleteMap(name: string, options?: DeleteOptions & { namespace?: string }): Promise<void>
  /** Removes all finalizers of a config map. */
  release(name: string): Promise<void>
  /** Names of the config maps in all namespaces. */
  mapNames(): Promise<readonly string[]>
}

let planes = 0

export async function openPlane(server: TestServer): Promise<PlaneFixture> {
  planes += 1
  const name = `plane-${planes}`
  const cluster = await server.post('/clusters', { kind: 'Cluster', name, spec: {} })
  expect(cluster.status).toBe(201)
  const fleet = server.planes.client()
  const client = fleet.plane(cluster.body.id)
  return {
    fleet,
    client,
    createMap: (map, { namespace = 'default', owners = [], finalizers = [] } = {}) =>
      client.create(MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: map,
          namespace,
          ...(owners.length > 0 && { ownerReferences: owners }),
          ...(finalizers.length > 0 && { finalizers }),
        },
      }),
    createNamespace: (namespace) =>
      client.create(NAMESPACES, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      }),
    readMap: (map, namespace = 'default') =>
      client.get(MAPS, { namespace, name: map }).catch((error: unknown) => {
        if (isObjectNotFound(error, map)) return null
        throw error
      }),
    deleteMap: (map, { namespace = 'default', ...options } = {}) =>
      client.delete(MAPS, { namespace, name: map }, options),
    release: async (map) => {
      const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const
      await client.patch(MAPS, { namespace: 'default', name: map }, patch)
    },
    mapNames: async () => {
      const names: string[] = []
      for await (const page of client.pages(MAPS)) {
        names.push(...page.items.map(({ metadata }) => metadata.name ?? ''))
      }
      return names
    },
  }
}

/** A reference to an object. */
export function ownerOf(
  { apiVersion, kind, metadata }: ApiObject,
  more: Partial<OwnerReference> = {},
): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...more }
}
