import type {
  NodePool,
  NodePoolCreateRequest,
  NodePoolPatchRequest,
} from '../generated/hyperfleet.ts'
import { apiPath } from '../http/api-path.ts'
import type { CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import { createMany, type CreateManyOptions, type CreateResult } from './bulk.ts'
import { Collection } from './collection.ts'
import { createRequest } from './create-request.ts'
import { List } from './list.ts'
import type { ListOptions } from './list-options.ts'
import { readPages } from './read-pages.ts'
import { upsert, type UpsertResult } from './upsert.ts'
import type { ChangeOptions, CreateOptions } from './write-options.ts'

/** A node pool to create. Without `spec`, the node pool has an empty one. */
export type NewNodePool = Omit<NodePoolCreateRequest, 'id' | 'kind' | 'spec'> &
  Partial<Pick<NodePoolCreateRequest, 'spec'>> & {
    /** The ID of the cluster. */
    readonly cluster: string
  }

/** Options of lists of node pools. */
export interface NodePoolListOptions extends ListOptions {
  /** The ID of a cluster; without it, the node pools of all clusters. */
  readonly cluster?: string | undefined
}

/** The node pools of all clusters. */
export class NodePools extends Collection<NodePool, NodePoolPatchRequest> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport, 'nodepools')
    this.#transport = transport
  }

  /** Creates a node pool in a cluster. */
  async create({ cluster, ...rest }: NewNodePool, options: CreateOptions = {}): Promise<NodePool> {
    const body = { kind: 'NodePool', spec: {}, ...rest }
    const request = createRequest(apiPath('clusters', cluster, 'nodepools'), body, options)
    return (await this.#transport.request<NodePool>(request)).body
  }

  /** Creates up to 1000 node pools of one cluster in one request: a result for each. */
  createMany(
    cluster: string,
    nodePools: readonly Omit<NewNodePool, 'cluster'>[],
    options: CreateManyOptions = {},
  ): Promise<readonly CreateResult<NodePool>[]> {
    const items = nodePools.map((nodePool) => ({ kind: 'NodePool', spec: {}, ...nodePool }))
    const path = apiPath('clusters', cluster, 'nodepools', 'bulk')
    return createMany<NodePool>(this.#transport, { path, items }, options)
  }

  /** Creates a node pool, or replaces the one with this name. Annotations stay unless given. */
  upsert(
    { cluster, name, ...rest }: NewNodePool,
    options: ChangeOptions = {},
  ): Promise<UpsertResult<NodePool>> {
    const path = apiPath('clusters', cluster, 'nodepools', 'by-name', name)
    const body = { kind: 'NodePool', spec: {}, ...rest }
    return upsert<NodePool>(this.#transport, { path, body }, options)
  }

  /** Reads the live node pool of a name in a cluster. */
  async getByName(cluster: string, name: string, options: CallOptions = {}): Promise<NodePool> {
    const path = apiPath('clusters', cluster, 'nodepools', 'by-name', name)
    const request = { method: 'GET', path, retry: 'always', ...options } as const
    return (await this.#transport.request<NodePool>(request)).body
  }

  /** Lists node pools, of one cluster or of all. */
  override list({ cluster, ...options }: NodePoolListOptions = {}): List<NodePool> {
    if (cluster === undefined) return super.list(options)
    const path = apiPath('clusters', cluster, 'nodepools')
    return new List(() => readPages<NodePool>(this.#transport, path, options))
  }
}
