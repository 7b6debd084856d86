import type { ClientOptions } from './client-options.ts'
import { createEphemeralFleet } from './fleets/create-ephemeral-fleet.ts'
import { createFleet } from './fleets/create-fleet.ts'
import { EphemeralFleet } from './fleets/ephemeral-fleet.ts'
import { Fleet } from './fleets/fleet.ts'
import type { EphemeralFleetOptions, NewFleet } from './fleets/fleet-options.ts'
import type { FleetParts } from './fleets/fleet-parts.ts'
import { fleetPath } from './fleets/fleet-path.ts'
import { type FleetListOptions, readFleets } from './fleets/read-fleets.ts'
import type {
  AdapterList,
  AuditEventList,
  Breakdown,
  Identity,
  KindDescription,
  KindList,
  LabelKeyList,
  LabelValueList,
  Overview,
  SeriesList,
} from './generated/hyperfleet.ts'
import type { Fleet as FleetObject } from './generated/kplane.ts'
import { apiPath } from './http/api-path.ts'
import { byteStream } from './http/byte-stream.ts'
import { jsonLines } from './http/json-lines.ts'
import { randomKey } from './http/random-key.ts'
import type { ApiRequest, ApiResponse, CallOptions } from './http/request.ts'
import { Transport } from './http/transport.ts'
import { kubeconfig } from './planes/kubeconfig.ts'
import { Plane } from './planes/plane.ts'
import { readStates, type StateResult, type StatesOptions } from './planes/read-states.ts'
import { Clusters } from './resources/clusters.ts'
import type { AnyResource } from './resources/any-resource.ts'
import { KindCollection } from './resources/kind-collection.ts'
import { List } from './resources/list.ts'
import { NodePools } from './resources/node-pools.ts'
import { Statuses } from './resources/statuses.ts'
import { Views } from './resources/views.ts'
import type { AuditListOptions } from './service/audit-options.ts'
import type {
  AdapterListOptions,
  BreakdownOptions,
  SeriesOptions,
} from './service/breakdown-options.ts'
import type { LabelKeyOptions, LabelValueOptions } from './service/label-options.ts'
import { watchedOverview } from './service/watched-overview.ts'
import { follow, type WatchOptions } from './watch/follow.ts'
import type { WatchEvent } from './watch/watch-event.ts'
import { Webhooks } from './webhooks/webhooks.ts'

/** A server of Flotilla. Creating a client sends no request. */
export class Client {
  /** The clusters of the server. */
  readonly clusters: Clusters
  /** The node pools of all clusters. */
  readonly nodepools: NodePools
  /** Lists that have a name, and alerts on them. */
  readonly views: Views
  /** The reports of adapters. */
  readonly statuses: Statuses
  /** Subscriptions that send changes to a URL. */
  readonly webhooks: Webhooks
  readonly #transport: Transport
  readonly #options: ClientOptions
  readonly #parts: FleetParts

  /** Connects to a server, such as `http://127.0.0.1:8000`. */
  constructor(baseUrl: string, options: ClientOptions = {}) {
    this.#options = options
    this.#transport = new Transport(baseUrl, options)
    this.#parts = { transport: this.#transport, plane: (id) => this.plane(id) }
    this.clusters = new Clusters(this.#transport)
    this.nodepools = new NodePools(this.#transport)
    this.views = new Views(this.#transport)
    this.statuses = new Statuses(this.#transport)
    this.webhooks = new Webhooks(this.#transport)
  }

  /** The caller, as the server sees it. */
  whoami(options: CallOptions = {}): Promise<Identity> {
    return this.#read<Identity>('whoami', {}, options)
  }

  /** The kinds that the server serves. */
  async kinds(options: CallOptions = {}): Promise<readonly KindDescription[]> {
    return (await this.#read<KindList>('kinds', {}, options)).items
  }

  /** The resources of any kind, by the plural of the kind. */
  collection<T extends AnyResource>(plural: string): KindCollection<T> {
    return new KindCollection<T>(this.#transport, plural)
  }

  /** The label keys in use, sorted. */
  labelKeys({ signal, timeout, ...query }: LabelKeyOptions = {}): Promise<LabelKeyList> {
    return this.#read<LabelKeyList>('label-keys', query, { signal, timeout })
  }

  /** The values in use of a label, sorted. */
  labelValues({ signal, timeout, ...query }: LabelValueOptions): Promise<LabelValueList> {
    return this.#read<LabelValueList>('label-values', query, { signal, timeout })
  }

  /** A page of the audit log, newest first. */
  audit({ signal, timeout, ...query }: AuditListOptions = {}): Promise<AuditEventList> {
    return this.#read<AuditEventList>('audit', query, { signal, timeout })
  }

  /** Counts of all resources, the load of the servers, and the last changes. */
  overview(options: CallOptions = {}): Promise<Overview> {
    return this.#read<Overview>('overview', {}, options)
  }

  /** The resources of a kind that are not ready, by adapter, reason, labels and spec. */
  breakdown({ signal, timeout, by, ...query }: BreakdownOptions): Promise<Breakdown> {
    const fields = by === undefined ? {} : { by: by.join(',') }
    return this.#read<Breakdown>('breakdown', { ...query, ...fields }, { signal, timeout })
  }

  /** The adapters of a kind, with their last reports, failures and queues. */
  adapters({ signal, timeout, kind }: AdapterListOptions): Promise<AdapterList> {
    return this.#read<AdapterList>('adapters', { kind }, { signal, timeout })
  }

  /** The counts, rates and latencies of the last hour, day or week. */
  series({ signal, timeout, ...query }: SeriesOptions = {}): Promise<SeriesList> {
    return this.#read<SeriesList>('series', query, { signal, timeout })
  }

  /** Watches the overview: at most one event per second, each with all of it. */
  watchOverview(
    options: Omit<WatchOptions, 'resourceVersion'> = {},
  ): AsyncGenerator<WatchEvent<Overview>, void, undefined> {
    return follow(this.#transport, watchedOverview(options.signal), options)
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

  /** Creates a fleet. Its members follow: see `waitUntilReady` and iteration. */
  async createFleet(fleet: NewFleet, options: CallOptions = {}): Promise<Fleet> {
    return new Fleet(this.#parts, await createFleet(this.#transport, fleet, options))
  }

  /** Reads a fleet. */
  async getFleet(name: string, options: CallOptions = {}): Promise<Fleet> {
    const request = { method: 'GET', path: fleetPath(name), retry: 'always', ...options } as const
    const { body } = await this.#transport.request<FleetObject>(request)
    return new Fleet(this.#parts, body)
  }

  /** Lists fleets. */
  listFleets(options: FleetListOptions = {}): List<Fleet> {
    return new List(() => readFleets(this.#parts, options))
  }

  /**
   * Creates a fleet that is deleted after its use: at the end of the block with `await using`, or
   * after a function. The members stay unless `deleteMembers` is true. The end waits until the fleet,
   * and with `deleteMembers` its members, are removed. The creation waits for a fleet of this name
   * that is being deleted. A failed deletion never hides an exception of the block or the function.
   */
  ephemeralFleet(options: EphemeralFleetOptions): Promise<EphemeralFleet>
  ephemeralFleet<R>(
    options: EphemeralFleetOptions,
    use: (fleet: EphemeralFleet) => R | Promise<R>,
  ): Promise<R>
  async ephemeralFleet<R>(
    { deleteMembers, onDeleteError, timeout, signal, ...options }: EphemeralFleetOptions,
    use?: (fleet: EphemeralFleet) => R | Promise<R>,
  ): Promise<EphemeralFleet | R> {
    const fleet = { ...options, name: options.name ?? `ephemeral-${randomKey().slice(0, 12)}` }
    const object = await createEphemeralFleet(this.#transport, fleet, { signal, timeout })
    const end = { deleteMembers, onDeleteError, timeout }
    const ephemeral = new EphemeralFleet(this.#parts, object, end)
    return use === undefined ? ephemeral : await useAndDelete(ephemeral, use)
  }

  /** Sends any request to the server, with the token, the time limits and the retries of the client. */
  request<T = unknown>(request: ApiRequest): Promise<ApiResponse<T>> {
    return this.#transport.request<T>(request)
  }

  /** Sends a request and yields each JSON line of its response, such as the output of `exec`. */
  lines(request: ApiRequest): AsyncGenerator<unknown, void, undefined> {
    return jsonLines(this.#transport, request, null)
  }

  /** Sends a request and yields the bytes of its response as they arrive, such as logs. */
  bytes(request: ApiRequest): AsyncGenerator<Uint8Array, void, undefined> {
    return byteStream(this.#transport, request, null)
  }

  /** The server's time, estimated from its responses. */
  serverTime(): Date {
    return this.#transport.clock.at(Date.now())
  }

  async #read<T>(
    segment: string,
    query: NonNullable<ApiRequest['query']>,
    { signal, timeout }: CallOptions,
  ): Promise<T> {
    const path = apiPath(segment)
    const request = { method: 'GET', path, query, signal, timeout, retry: 'always' } as const
    return (await this.#transport.request<T>(request)).body
  }
}

async function useAndDelete<R>(
  fleet: EphemeralFleet,
  use: (fleet: EphemeralFleet) => R | Promise<R>,
): Promise<R> {
  let result: R
  try {
    result = await use(fleet)
  } catch (error) {
    await fleet[Symbol.asyncDispose]()
    throw error
  }
  await fleet.deleteAtEnd()
  return result
}
