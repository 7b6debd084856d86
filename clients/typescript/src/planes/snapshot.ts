import { isObject, type UnknownObject } from '../http/json.ts'

/** An item of a snapshot: a resource, a report or an object of the plane, as the API returns it. */
export type SnapshotItem = UnknownObject

/** The items of one resource type. */
export interface SnapshotResource {
  /** `hyperfleet`, or the Kubernetes group of the resource. */
  readonly group: string
  /** The plural, such as `nodepools`, or `statuses`. */
  readonly resource: string
  /** Always true: a snapshot is complete or an error. */
  readonly synced: boolean
  readonly itemCount: number
  readonly items: readonly SnapshotItem[]
}

/** A cluster with its descendants, reports and objects at one moment. */
export class Snapshot {
  /** The ID or the name of the cluster that the caller used. */
  readonly cluster: string
  /** The ID of the cluster. */
  readonly id: string
  /** When the server took the snapshot, by its clock. */
  readonly snapshotTime: string
  /** The snapshot contains every change up to this version. */
  readonly resourceVersion: string
  /** The number of resource types that the server keeps for the cluster. */
  readonly liveResources: number
  readonly resources: readonly SnapshotResource[]

  constructor(wire: UnknownObject) {
    this.cluster = textOf(wire['cluster'])
    this.id = textOf(wire['id'] ?? wire['cluster'])
    this.snapshotTime = textOf(wire['snapshotTime'])
    this.resourceVersion = textOf(wire['resourceVersion'])
    this.liveResources = Number(wire['liveResources'] ?? 0)
    const resources = Array.isArray(wire['resources']) ? wire['resources'] : []
    this.resources = resources.filter(isObject).map(readResource)
  }

  /** The items of a resource type; null if the snapshot lacks it. */
  byResource(name: string): SnapshotResource | null {
    return this.resources.find(({ resource }) => resource === name) ?? null
  }

  /** The number of items of all resource types. */
  totalItems(): number {
    return this.resources.reduce((sum, { itemCount }) => sum + itemCount, 0)
  }
}

function readResource(wire: UnknownObject): SnapshotResource {
  const items = Array.isArray(wire['items']) ? wire['items'].filter(isObject) : []
  return {
    group: textOf(wire['group']),
    resource: textOf(wire['resource']),
    synced: wire['synced'] === true,
    itemCount: Number(wire['itemCount'] ?? items.length),
    items,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
