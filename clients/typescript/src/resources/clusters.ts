import type { Cluster, ClusterCreateRequest, ClusterPatchRequest } from '../generated/hyperfleet.ts'
import type { Transport } from '../http/transport.ts'
import { RootCollection } from './root-collection.ts'

/** A cluster to create. Without `spec`, the cluster has an empty one. */
export type NewCluster = Omit<ClusterCreateRequest, 'id' | 'kind' | 'spec'> &
  Partial<Pick<ClusterCreateRequest, 'spec'>>

/** The clusters of a server. */
export class Clusters extends RootCollection<Cluster, NewCluster, ClusterPatchRequest> {
  constructor(transport: Transport) {
    super(transport, { kind: 'Cluster', plural: 'clusters' })
  }
}
