import type { ClientOptions } from './client-options.ts'
import { Transport } from './http/transport.ts'
import { kubeconfig } from './planes/kubeconfig.ts'
import { Plane } from './planes/plane.ts'
import { readStates, type StateResult, type StatesOptions } from './planes/read-states.ts'
import { Clusters } from './resources/clusters.ts'
import { NodePools } from './resources/node-pools.ts'
import { Statuses } from './resources/statuses.ts'

/** A server of Flotilla. Creating a client sends no request. */
export class Client {
  /** The clusters of the server. */
  readonly clusters: Clusters
  /** The node pools of all clusters. */
  readonly nodepools: NodePools
  /** The reports of adapters. */
  readonly statuses: Statuses
  readonly #transport: Transport
  readonly #options: ClientOptions

  /** Connects to a server, such as `http://127.0.0.1:8000`. */
  constructor(baseUrl: string, options: ClientOptions = {}) {
    this.#options = options
    this.#transport = new Transport(baseUrl, options)
    this.clusters = new Clusters(this.#transport)
    this.nodepools = new NodePools(this.#transport)
    this.statuses = new Statuses(this.#transport)
  }

  /** The handle of a cluster's plane. It sends no request. */
  plane(id: string): Plane {
    return new Plane(this.#transport, id, (plane) => this.kubeconfig(plane))
  }

  /** The URL of a cluster's plane, for any Kubernetes client. */
  clusterBaseUrl(id: string): string {
    return this.plane(id).baseUrl
  }

  /** A kubeconfig for the plane of a cluster, as YAML. It contains the current token. */
  async kubeconfig(id: string): Promise<string> {
    const { token } = this.#options
    const current = typeof token === 'function' ? await token() : token
    return kubeconfig({ name: id, server: this.clusterBaseUrl(id), token: current ?? null })
  }

  /**
   * Reads the states of many clusters: an entry for each ID, in their order, with a snapshot or an
   * error.
   */
  states(
    ids: readonly string[],
    options: StatesOptions = {},
  ): AsyncGenerator<StateResult, void, undefined> {
    return readStates(this.#transport, ids, options)
  }

  /** The server's time, estimated from its responses. */
  serverTime(): Date {
    return this.#transport.clock.at(Date.now())
  }
}
