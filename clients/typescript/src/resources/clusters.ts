import type { Cluster, ClusterCreateRequest, ClusterPatchRequest } from '../generated/hyperfleet.ts'
import { apiPath } from '../http/api-path.ts'
import type { CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import { createMany, type CreateManyOptions, type CreateResult } from './bulk.ts'
import { Collection } from './collection.ts'
import { createRequest } from './create-request.ts'
import { upsert, type UpsertResult } from './upsert.ts'
import type { ChangeOptions, CreateOptions } from './write-options.ts'

/** A cluster to create. Without `spec`, the cluster has an empty one. */
export type NewCluster = Omit<ClusterCreateRequest, 'id' | 'kind' | 'spec'> &
  Partial<Pick<ClusterCreateRequest, 'spec'>>

/** The clusters of a server. */
export class Clusters extends Collection<Cluster, ClusterPatchRequest> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport, 'clusters')
    this.#transport = transport
  }

  /** Creates a cluster. */
  async create(cluster: NewCluster, options: CreateOptions = {}): Promise<Cluster> {
    const body = { kind: 'Cluster', spec: {}, ...cluster }
    const request = createRequest(apiPath('clusters'), body, options)
    return (await this.#transport.request<Cluster>(request)).body
  }

  /** Creates up to 1000 clusters in one request: a result for each, in their order. */
  createMany(
    clusters: readonly NewCluster[],
    options: CreateManyOptions = {},
  ): Promise<readonly CreateResult<Cluster>[]> {
    const items = clusters.map((cluster) => ({ kind: 'Cluster', spec: {}, ...cluster }))
    return createMany<Cluster>(
      this.#transport,
      { path: apiPath('clusters', 'bulk'), items },
      options,
    )
  }

  /** Creates a cluster, or replaces the one with this name. Annotations stay unless they are given. */
  upsert(
    { name, ...rest }: NewCluster,
    options: ChangeOptions = {},
  ): Promise<UpsertResult<Cluster>> {
    const path = apiPath('clusters', 'by-name', name)
    const body = { kind: 'Cluster', spec: {}, ...rest }
    return upsert<Cluster>(this.#transport, { path, body }, options)
  }

  /** Reads the live cluster of a name. */
  async getByName(name: string, options: CallOptions = {}): Promise<Cluster> {
    const path = apiPath('clusters', 'by-name', name)
    const request = { method: 'GET', path, retry: 'always', ...options } as const
    return (await this.#transport.request<Cluster>(request)).body
  }
}
