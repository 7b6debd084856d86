import { NotFound } from '../errors/status-errors.ts'
import { isTransient } from '../http/is-transient.ts'
import type { UnknownObject } from '../http/json.ts'
import type { ApiRequest, CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import { follow, type WatchOptions } from '../watch/follow.ts'
import type { WatchEvent } from '../watch/watch-event.ts'
import { watchedObjects } from '../watch/watched-objects.ts'
import { followStates, type StateDelta } from './follow-states.ts'
import { Snapshot } from './snapshot.ts'
import { type KubeConfig, kubernetesConfig } from './kubernetes-config.ts'

/** Options of snapshots. */
export interface StateOptions extends CallOptions {
  /** The resource types to include: plurals, `plural.group`, and `statuses`. */
  readonly resource?: string | readonly string[] | undefined
  /** Includes resource types without items. */
  readonly includeEmpty?: boolean | undefined
  /** Without effect: the server waits up to 10 s for a cluster that is not in memory. */
  readonly warm?: boolean | undefined
  /** Includes everything up to this resource version or write token; `latest` for all writes. */
  readonly minResourceVersion?: string | undefined
}

/** A request to a plane. */
export interface PlaneRequest extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path in the plane, such as `/api/v1/namespaces`. */
  readonly path: string
  readonly query?: ApiRequest['query']
  /** Sent as JSON. */
  readonly body?: unknown
  /** A PATCH needs a `Content-Type`, such as `application/merge-patch+json`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Options of watches of a list in a plane. */
export interface PlaneWatchOptions extends WatchOptions {
  /** Such as `labelSelector` and `fieldSelector`. */
  readonly query?: ApiRequest['query']
  /** An `Accept` selects another representation, such as tables. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The Kubernetes-style API of one cluster. Creating a handle sends no request. */
export class Plane {
  /** The ID or the name of the cluster. */
  readonly id: string
  readonly #transport: Transport
  readonly #kubeconfig: (id: string) => Promise<string>

  constructor(transport: Transport, id: string, kubeconfig: (id: string) => Promise<string>) {
    this.id = id
    this.#transport = transport
    this.#kubeconfig = kubeconfig
  }

  /** The URL of the plane, for any Kubernetes client. */
  get baseUrl(): string {
    return this.#transport.base + this.#path('')
  }

  /** The state of the cluster in one call: its resources, reports and objects at one moment. */
  async state(options: StateOptions = {}): Promise<Snapshot> {
    const { body } = await this.#transport.request<UnknownObject>(this.#snapshot(options))
    return new Snapshot(body)
  }

  /** Streams the state and then every change, until the signal aborts, across disconnects. */
  states(options: StateOptions = {}): AsyncGenerator<StateDelta, void, undefined> {
    const request = this.#snapshot(options)
    return followStates(this.#transport, { ...request, query: { ...request.query, watch: true } })
  }

  /** Whether the server serves the plane. */
  async isReady(options: CallOptions = {}): Promise<boolean> {
    const path = this.#path('/readyz')
    try {
      const { link } = await this.#transport.open({
        method: 'GET',
        path,
        retry: 'always',
        ...options,
      })
      link.abort(new Error('only the status matters'))
      link.close()
      return true
    } catch (error) {
      if (error instanceof NotFound || isTransient(error)) return false
      throw error
    }
  }

  /**
   * Sends a request to the plane, such as `POST /api/v1/namespaces/default/configmaps`, and parses
   * the response. Only requests other than POST and PATCH are repeated after lost responses.
   */
  async request<T = unknown>({ method, path, ...rest }: PlaneRequest): Promise<T> {
    const retry = method === 'POST' || method === 'PATCH' ? 'rejected' : 'always'
    const request = { method, path: this.#path(path), retry, ...rest } as const
    return (await this.#transport.request<T>(request)).body
  }

  /** Watches a list, such as `/api/v1/namespaces`, until the signal aborts, across disconnects. */
  watch<T = UnknownObject>(
    path: string,
    { query = {}, headers, ...options }: PlaneWatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { signal } = options
    const list = watchedObjects<T>(this.#path(path), { query, headers, signal })
    return follow(this.#transport, list, options)
  }

  /**
   * The configuration of the official client for this plane. It needs the package
   * `@kubernetes/client-node`, which is loaded when this method is called.
   */
  async kubernetes(): Promise<KubeConfig> {
    return await kubernetesConfig(await this.#kubeconfig(this.id))
  }

  #snapshot({ signal, timeout, ...query }: StateOptions): ApiRequest {
    const path = this.#path('/snapshot')
    return { method: 'GET', path, query, signal, timeout, retry: 'always' }
  }

  #path(rest: string): string {
    return `/clusters/${encodeURIComponent(this.id)}/control-plane${rest}`
  }
}
