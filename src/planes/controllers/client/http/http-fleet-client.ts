import type { ApiObject } from '../../../model/api-object.ts'
import { KubeError } from '../../../errors/kube-error.ts'
import type { ObjectKey } from '../../../../store/objects/model/stored-object.ts'
import type { WriteFence } from '../../../../store/objects/model/write-fence.ts'
import type { FleetSelection } from '../../../../store/objects/model/fleet-query.ts'
import type { FleetClient, FleetObject } from '../fleet-client.ts'
import { resourceNotServed } from '../api-failures.ts'
import type { PlaneClient, ResourceName, ServedResource } from '../plane-client.ts'
import { findServed, storageName } from '../resource-names.ts'
import { followClustersOverHttp } from './follow-clusters-over-http.ts'
import { followOverHttp } from './follow-over-http.ts'
import type { HttpOptions } from './http-options.ts'
import { createHttpPlaneClient } from './http-plane-client.ts'

/** How controllers in another process reach the planes that they serve. */
export interface HttpFleetOptions extends HttpOptions {
  /** IDs of the planes that the controllers serve. */
  readonly planes: readonly string[]
  /** The resource of the root plane that `followClusters` follows. Absent: without clusters. */
  readonly clusters?: ResourceName
  readonly onError: (error: unknown) => void
}

const NEVER_ABORTED = new AbortController().signal

/**
 * Access to a list of planes over HTTP, for controllers in another process. The API has no query
 * across planes, so it watches each resource of each plane, and a scan lists them: suitable for
 * tens of planes. The controllers that serve whole fleets run in the server's process.
 */
export function createHttpFleetClient(
  options: HttpFleetOptions,
  fence: WriteFence | null = null,
  signal: AbortSignal = NEVER_ABORTED,
): FleetClient {
  const planeOf = (id: string): PlaneClient => createHttpPlaneClient(options, id, fence)
  const planes = options.planes.toSorted()
  return {
    plane: planeOf,
    planes: async function* read() {
      yield planes
    },
    scan: async function* scan(selection, after = null) {
      for (const plane of planes) {
        if (selection.plane !== undefined && selection.plane !== plane) continue
        if (after === null || plane >= after.plane) {
          yield* scanPlane(planeOf(plane), selection, after)
        }
      }
    },
    followAll: (resources, subscriber) =>
      followOverHttp({ ...options, clients: planes.map(planeOf), resources, subscriber, signal }),
    followClusters: (label, subscriber) => {
      const { clusters } = options
      if (clusters === undefined) return Promise.reject(resourceNotServed())
      const client = planeOf('root')
      return followClustersOverHttp({ ...options, clusters, client, label, subscriber, signal })
    },
    fence,
    fencedBy: (next, until) => createHttpFleetClient(options, next, until),
  }
}

async function* scanPlane(
  client: PlaneClient,
  selection: FleetSelection,
  after: ObjectKey | null,
): AsyncGenerator<readonly FleetObject[]> {
  const served = await client.resources()
  const wanted =
    selection.resource === undefined ? served : [findServed(served, selection.resource)]
  const resources = wanted
    .filter((resource) => resource !== null)
    .filter(({ verbs }) => verbs.includes('list'))
    .toSorted((a, b) => (storageName(a) < storageName(b) ? -1 : 1))
  for (const resource of resources) {
    for await (const page of pagesOf(client, resource)) {
      const objects = page
        .map((object) => fleetObject(client.plane, resource, object))
        .filter((entry) => isSelected(entry, selection) && isAfter(entry, after))
      if (objects.length > 0) yield objects
    }
  }
}

/** A resource that is no longer served has no objects. */
async function* pagesOf(
  client: PlaneClient,
  resource: ServedResource,
): AsyncGenerator<readonly ApiObject[]> {
  try {
    for await (const { items } of client.pages(resource)) yield items
  } catch (error) {
    if (!(error instanceof KubeError && error.code === 404)) throw error
  }
}

/** An object of a response as controllers see it. */
export function fleetObject(
  plane: string,
  resource: ServedResource,
  object: ApiObject,
): FleetObject {
  const { namespace = '', name = '', uid = '' } = object.metadata
  return { plane, resource: storageName(resource), namespace, name, uid, object: () => object }
}

function isSelected(entry: FleetObject, selection: FleetSelection): boolean {
  const { ownerReferences = [], deletionTimestamp, creationTimestamp } = entry.object().metadata
  const { uid, isOwned, ownerUid, isTerminating, createdBefore } = selection
  if (uid !== undefined && entry.uid !== uid) return false
  if (isOwned && ownerReferences.length === 0) return false
  if (ownerUid !== undefined && !ownerReferences.some((owner) => owner.uid === ownerUid)) {
    return false
  }
  if (isTerminating && deletionTimestamp === undefined) return false
  return createdBefore === undefined || new Date(creationTimestamp ?? 0) < createdBefore
}

function isAfter(entry: FleetObject, after: ObjectKey | null): boolean {
  if (after === null || entry.plane !== after.plane) return true
  const keys = (key: ObjectKey): readonly string[] => [key.resource, key.namespace, key.name]
  const [left, right] = [keys(entry), keys(after)]
  const difference = left.findIndex((part, index) => part !== right[index])
  return difference >= 0 && (left[difference] ?? '') > (right[difference] ?? '')
}
